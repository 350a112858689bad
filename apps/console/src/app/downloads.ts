import { cancelDownload, downloadPath, downloadProgress } from '@linewarden/contract'
import { create } from 'zustand'
import { api, messageOf } from './api.ts'
import { toast } from './toasts.tsx'

export interface Download {
  readonly ticket: string
  readonly name: string
  readonly rows: number
  readonly share: number
  readonly state: 'waiting' | 'running' | 'done' | 'ended'
}

/** The specification's download flag: null while nothing is downloaded, else what and how far. */
export const useDownload = create<{ readonly current: Download | null }>(() => ({ current: null }))

export const isDownloading = (download: Download | null): boolean =>
  download !== null && (download.state === 'waiting' || download.state === 'running')

const askEveryMs = 700

/**
 * Starts a file that was prepared. The browser itself takes it, so that it goes to the disk and not through this page's memory, whatever
 * its length; how far it is, the server tells.
 */
export async function startDownload(prepare: () => Promise<{ Ticket: string; FileName: string }>): Promise<void> {
  if (isDownloading(useDownload.getState().current)) return
  let prepared: { Ticket: string; FileName: string }
  try {
    prepared = await prepare()
  } catch (error) {
    toast('error', messageOf(error))
    return
  }
  const { Ticket, FileName } = prepared
  useDownload.setState({ current: { ticket: Ticket, name: FileName, rows: 0, share: 0, state: 'waiting' } })
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
    const progress = await api.call(downloadProgress, { params: { Ticket: ticket } }).catch(() => null)
    const { current } = useDownload.getState()
    if (current?.ticket !== ticket) return
    // The server has forgotten it: it was started anew, and the file broke off.
    const state = progress?.State ?? 'ended'
    useDownload.setState({
      current: { ...current, state, rows: progress?.Rows ?? current.rows, share: progress?.Share ?? current.share },
    })
    if (state === 'done' || state === 'ended') return
  }
}

/** Stops the download, or takes away what is said of one that has ended. */
export async function dismissDownload(): Promise<void> {
  const { current } = useDownload.getState()
  if (!current) return
  if (isDownloading(current)) await api.call(cancelDownload, { params: { Ticket: current.ticket } }).catch(() => null)
  else useDownload.setState({ current: null })
}
