import { Refusal } from '@linewarden/contract'
import { tookTooLong } from '../../store/report/within-time.ts'
import type { Core } from '../server-area.ts'

export type ReportDeps = Pick<Core, 'database' | 'plant' | 'downloads' | 'clock' | 'config'>

/** What the database breaks off is refused with what to do about it. */
export const inTime = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => {
    throw tookTooLong(error) ? new Refusal('report too slow') : error
  })
