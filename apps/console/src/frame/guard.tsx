import { lazyPart } from '../app/net/lazy-part.tsx'
import { Guard as Gate } from '../app/session/guard.tsx'

const First = lazyPart(async () => (await import('../areas/account/first-steps.tsx')).FirstSteps)

/** The gate of all that lies behind the login, with what an account has to do before it sees any page. */
export const Guard = () => <Gate First={First} />
