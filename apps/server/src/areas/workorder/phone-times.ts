import type { PhoneAct } from '@linewarden/contract'
import type { NewStep } from '../../store/workorder/step.ts'

/** A phone's clock may be wrong by years; by more it says nothing. */
const maxOffsetMs = 400 * 86_400_000

/** What a phone says of when it was done. Nothing counts by it: it is shown beside when the server was told. */
export const phoneColumns = (
  phone: Pick<PhoneAct, 'PhoneTime' | 'Now'> | undefined,
  now: number,
): Pick<NewStep, 'phone_at' | 'offset_ms'> =>
  phone ? { phone_at: new Date(phone.PhoneTime), offset_ms: Math.max(-maxOffsetMs, Math.min(maxOffsetMs, now - phone.Now)) } : {}
