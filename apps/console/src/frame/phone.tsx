import { StepUp } from '../areas/account/step-up.tsx'
import { PhoneRoot } from '../areas/inspection/phone/phone-root.tsx'
import { senders } from './senders.ts'

/** What stands around the pages of the phone: what is sent of each area, and the question for the password. */
export const Phone = () => (
  <>
    <PhoneRoot senders={senders} />
    <StepUp />
  </>
)
