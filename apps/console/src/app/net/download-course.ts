import { CallError } from '@linewarden/client'
import type { downloadProgress, Reply } from '@linewarden/contract'

export interface Download {
  readonly ticket: string
  readonly name: string
  readonly rows: number
  readonly share: number
  readonly state: 'waiting' | 'running' | 'done' | 'ended'
  /** Since when the server does not say how far it is; null: it did when last asked. */
  readonly awaySince: number | null
}

/** What came of asking how far it is. */
type Answer = Reply<typeof downloadProgress> | 'refused' | 'away'

/** So long the browser may be receiving what the page cannot ask about. */
export const maxAwayMs = 60_000

export const isDownloading = (download: Download | null): boolean =>
  download !== null && (download.state === 'waiting' || download.state === 'running')

/** The download after an answer, or after none: it ends when the server knows nothing of it, not when it cannot be asked. */
export function after(download: Download, answer: Answer, now: number): Download {
  if (answer === 'refused') return { ...download, state: 'ended' }
  if (answer === 'away') {
    const awaySince = download.awaySince ?? now
    return { ...download, awaySince, state: now - awaySince >= maxAwayMs ? 'ended' : download.state }
  }
  return { ...download, awaySince: null, state: answer.State, rows: answer.Rows, share: answer.Share }
}

/**
 * What a failed question says: only a refusal of this download is an answer. "Too often", a server in trouble and a session that is over
 * say nothing of it.
 */
export function answerOf(error: unknown): 'refused' | 'away' {
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') return 'away'
  const { status } = error.problem
  return status === 401 || status === 429 || status >= 500 ? 'away' : 'refused'
}
