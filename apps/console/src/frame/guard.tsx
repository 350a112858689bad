import { lazyPart } from '../app/net/lazy-part.tsx'
import { Guard as Gate } from '../app/session/guard.tsx'
import { Unreachable } from '../app/session/unreachable.tsx'
import { addIcons } from '../ui/icon.tsx'
import { moreShapes } from '../ui/icon-shapes.ts'

addIcons(moreShapes)

const First = lazyPart(async () => (await import('../areas/account/first-steps.tsx')).FirstSteps)

const Wall = lazyPart(async () => (await import('./wall.tsx')).LastPicture, Unreachable)

/** The gate of all that lies behind the login, with what an account has to do before it sees any page. */
export const Guard = () => <Gate First={First} Wall={Wall} />
