import { lazyPart } from '../app/net/lazy-part.tsx'
import { WallGate as Gate } from '../areas/screen/links/wall-gate.tsx'

const Guard = lazyPart(async () => (await import('./guard.tsx')).Guard)

/** A wall opens with a person's session, or by a link without one. */
export const WallGate = () => <Gate Guard={Guard} />
