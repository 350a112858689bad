import { UnsentLine } from '../areas/inspection/phone/unsent-line.tsx'
import { senders } from './senders.ts'

/** What waits on this device to be sent, above every page. */
export const Unsent = () => <UnsentLine senders={senders} />
