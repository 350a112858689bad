import { createHash } from 'node:crypto'
import { Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Database } from '../store/core/database.ts'
import type { ContentStore } from './content-store.ts'

export interface PhotoDeps {
  readonly database: Database
  readonly content: ContentStore
  /** At most so many bytes of a project. */
  readonly quotaBytes: number
  readonly clock: () => number
  readonly log: Logger
}

/** Whatever keeps a folder or a bucket from answering is not the sender's fault, and they try again. */
export async function orAway<T>({ log }: Pick<PhotoDeps, 'log'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error }, 'photos can be neither stored nor read')
    throw new Refusal('photos away')
  }
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
