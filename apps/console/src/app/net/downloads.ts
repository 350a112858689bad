import { cancelDownload, downloadPath, downloadProgress } from '@linewarden/contract'
import { create } from 'zustand'
import { toast } from '../notify/toasts.tsx'
import { onSessionChange, useSession } from '../session/session.ts'
import { api, messageOf } from './api.ts'
import { callWithToast } from './call-with-toast.ts'
import type { Download } from './download-course.ts'
import { after, answerOf, isDownloading } from './download-course.ts'

/** The specification's download flag: null while nothing is downloaded, else what and how far. */
export const useDownload = create<{ readonly current: Download | null }>(() => ({ current: null }))

/** Whose the current one is. */
let owner = ''

/**
 * What one account downloads is not told to the next, nor to whoever sits down after it has signed out. A session that ended by itself is
 * another thing: the device may be remembered and sign in again, and the file goes on.
 */
function isOthers(of: string): boolean {
  const { userId, over } = useSession.getState()
  return userId !== of && over !== 'expired'
}

onSessionChange(() => {
  if (isOthers(owner)) useDownload.setState({ current: null })
})

const askEveryMs = 700
/** An answer that takes longer is as good as none; the next question may be quicker. */
const answerWithinMs = 10_000

/**
 * Starts a file that was prepared. The browser itself takes it, so that it goes to the disk and not through this page's memory, whatever
 * its length; how far it is, the server tells.
 */
export async function startDownload(prepare: () => Promise<{ Ticket: string; FileName: string }>): Promise<void> {
  if (isDownloading(useDownload.getState().current)) return
  const { userId } = useSession.getState()
  let prepared: { Ticket: string; FileName: string }
  try {
    prepared = await prepare()
  } catch (error) {
    if (!isOthers(userId)) toast('error', messageOf(error))
    return
  }
  if (isOthers(userId)) return
  owner = userId
  const { Ticket, FileName } = prepared
  useDownload.setState({ current: { ticket: Ticket, name: FileName, rows: 0, share: 0, state: 'waiting', awaySince: null } })
  const link = document.createElement('a')
  link.href = `${downloadPath}${Ticket}`
  link.download = FileName
  link.click()
  await follow(Ticket)
}

/** Asks how far it is until it has ended. */
async function follow(ticket: string): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    if (useDownload.getState().current?.ticket !== ticket) return
    const signal = AbortSignal.timeout(answerWithinMs)
    const answer = await api.call(downloadProgress, { params: { Ticket: ticket } }, { signal }).catch(answerOf)
    const { current } = useDownload.getState()
    if (current?.ticket !== ticket) return
    const next = after(current, answer, performance.now())
    useDownload.setState({ current: next })
    if (!isDownloading(next)) return
  }
}

/** Stops the download, or takes away what is said of one that has ended. */
export async function dismissDownload(): Promise<void> {
  const { current } = useDownload.getState()
  if (!current) return
  if (isDownloading(current)) await callWithToast(api.call(cancelDownload, { params: { Ticket: current.ticket } }))
  else useDownload.setState({ current: null })
}
