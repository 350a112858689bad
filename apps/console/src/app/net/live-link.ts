import type { Live, LiveLink } from '@linewarden/client'
import { openLive } from '@linewarden/client'
import { useEffect } from 'react'
import { create } from 'zustand'
import { forgetUnacknowledged } from '../../areas/alarm/unacknowledged.ts'
import { putCommand, refreshTags } from '../../areas/control/queries.ts'
import { tellChange } from '../../areas/settings/changes.ts'
import { forgetTold, live, tellEvent } from '../../plant/live-store.ts'
import { fetchNewEvents, forgetToldUpTo, refreshLineEvents } from '../../plant/queries.ts'
import { setServerTime } from '../../ui/use-now.ts'
import { onSessionChange, useSession } from '../session/session.ts'
import { sessionOver } from '../session/session-over.ts'
import { api } from './api.ts'
import { turnOf } from './link-course.ts'
import { watchPage } from './page-signs.ts'
import { queryClient } from './query-client.ts'
import { onUnanswered, useReach } from './reach.ts'
import { refreshSoon } from './refresh-soon.ts'

/** How the live socket stands, for the header and the fallback poll. */
export const useLiveLink = create<{ link: LiveLink; everOpen: boolean }>(() => ({ link: 'connecting', everOpen: false }))

/**
 * Whether the server tells what moves. Without it nothing is known to be true any more: it is the last known, and looks so. Where a proxy
 * never lets the socket open the poll tells it, for as long as it is answered, for every line.
 */
export function useConnected(): boolean {
  const answered = useReach(({ awaySince, unheard }) => awaySince === null && unheard === 0)
  return useLiveLink(({ link, everOpen }) => link === 'open' || (!everOpen && answered))
}

/** Births come by the dozen where a site is set up. */
const runsAfterMs = 1_000
const treeAfterMs = 300

let socket: Live | null = null

/** Whose pop-ups these are. */
let toldTo = useSession.getState().userId

onSessionChange(({ userId, over }) => {
  live.clear()
  // It ended by itself, at a screen nobody attends: what popped up is there when the same person is signed in again.
  if (over === 'expired' || userId === toldTo) return
  toldTo = userId
  forgetTold()
  forgetToldUpTo()
  forgetUnacknowledged()
})
let watched: readonly number[] = []

/** When the server was last heard on the live connection, by this machine's clock. */
let heardAt = 0

/** How long ago the server was last heard on the live connection, in milliseconds. */
export const silentFor = (): number => Math.max(0, Date.now() - heardAt)

/** The projects whose values the page shows. */
export function watchHouses(houses: readonly number[]): void {
  watched = houses
  socket?.watch(houses, [])
}

/** Keeps the live socket open while the shell is on the page. */
export function useLive(): void {
  useEffect(() => {
    socket = openLive({
      client: api,
      onSessionEnd: sessionOver,
      onLink(link) {
        const turn = turnOf(useLiveLink.getState(), link)
        // Until it is open the page keeps polling and its values stay marked.
        if (!turn) return
        if (link === 'open') heardAt = Date.now()
        useLiveLink.setState(turn.state)
        if (link === 'connecting') return
        // What was missed while it was away is fetched, not guessed.
        if (turn.hasMissed) void queryClient.invalidateQueries()
        // A moment later: a link that closed because the session is over must not ask once more.
        setTimeout(() => {
          if (useSession.getState().token !== '') void fetchNewEvents()
        }, 0)
      },
      onMessages(messages) {
        heardAt = Date.now()
        live.apply(messages)
        for (const message of messages) {
          if (message.t === 'event') {
            tellEvent(message.event, message.isNew)
            refreshLineEvents(message.event)
          } else if (message.t === 'command') putCommand(message.command)
          else if (message.t === 'setting') tellChange(message.change)
          else if (message.t === 'tags') refreshTags()
          else if (message.t === 'run') {
            queryClient.setQueryData(['run', message.run.RunID], message.run)
            refreshSoon(['runs'], runsAfterMs)
          } else if (message.t === 'hello') setServerTime(message.at)
          else if (message.t === 'tree') {
            refreshSoon(['tree'], treeAfterMs)
            refreshSoon(['snapshot'], treeAfterMs)
          }
        }
      },
    })
    socket.watch(watched, [])
    const leavePage = watchPage({ wake, lose })
    onUnanswered(doubt)
    return () => {
      leavePage()
      socket?.close()
      socket = null
    }
  }, [])
}

/** Back from sleep, from another tab or from a dead network: the connection is checked at once instead of after its next silence. */
const wake = () => socket?.wake()
const doubt = () => socket?.doubt()
const lose = () => socket?.lose()

/** Somebody asks: connects now, and fetches anew what failed. */
export function reconnect(): void {
  wake()
  void fetchNewEvents()
  void queryClient.invalidateQueries()
}
