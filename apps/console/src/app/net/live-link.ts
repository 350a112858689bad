import type { Live, LiveLink } from '@linewarden/client'
import { openLive } from '@linewarden/client'
import type { LiveMessage } from '@linewarden/contract'
import { useEffect } from 'react'
import { create } from 'zustand'
import { setServerTime } from '../../ui/use-now.ts'
import { useSession } from '../session/session.ts'
import { sessionOver } from '../session/session-over.ts'
import { api } from './api.ts'
import { onUnanswered, useConnectivity } from './connectivity.ts'
import { turnOf } from './link-course.ts'
import { notifyEach } from './notify-each.ts'
import { watchPage } from './page-signs.ts'
import { queryClient } from './query-client.ts'

/** How the live socket stands, for the header and the fallback poll. */
export const useLiveLink = create<{ link: LiveLink; everOpen: boolean }>(() => ({ link: 'connecting', everOpen: false }))

/**
 * Whether the server tells what moves. Without it nothing is known to be true any more: it is the last known, and looks so. Where a proxy
 * never lets the socket open the poll tells it, for as long as it is answered, for every line.
 */
export function useConnected(): boolean {
  const answered = useConnectivity(({ awaySince, staleParts }) => awaySince === null && staleParts === 0)
  return useLiveLink(({ link, everOpen }) => link === 'open' || (!everOpen && answered))
}

/** What an area does with what comes live. Listeners are asked in the order in which they are handed in. */
export interface LiveListener {
  /** All that came together. */
  readonly onMessages?: (messages: readonly LiveMessage[]) => void
  readonly onLive?: (message: LiveMessage) => void
  /** The link opened or closed, or somebody asks: what it could not tell is to be fetched. */
  readonly onTurn?: () => void
}

let listeners: readonly LiveListener[] = []
let socket: Live | null = null

let watched: readonly number[] = []

/** When the server was last heard on the live connection, by this machine's clock. */
let receivedAt = 0

/** How long ago the server was last heard on the live connection, in milliseconds. */
export const silentFor = (): number => Math.max(0, Date.now() - receivedAt)

/** The projects whose values the page shows. */
export function watchHouses(houses: readonly number[]): void {
  watched = houses
  socket?.watch(houses, [])
}

/** Keeps the live socket open while the shell is on the page; who listens does not change meanwhile. */
export function useLive(areas: readonly LiveListener[]): void {
  useEffect(() => {
    listeners = areas
    socket = openLive({
      client: api,
      onSessionEnd: sessionOver,
      onLink(link) {
        const turn = turnOf(useLiveLink.getState(), link)
        // Until it is open the page keeps polling and its values stay marked.
        if (!turn) return
        if (link === 'open') receivedAt = Date.now()
        useLiveLink.setState(turn.state)
        if (link === 'connecting') return
        // What was missed while it was away is fetched, not guessed.
        if (turn.hasMissed) void queryClient.invalidateQueries()
        // A moment later: a link that closed because the session is over must not ask once more.
        setTimeout(() => {
          if (useSession.getState().token !== '') notifyTurn()
        }, 0)
      },
      onMessages(messages) {
        receivedAt = Date.now()
        notifyEach(areas, ({ onMessages }) => onMessages?.(messages))
        for (const message of messages) {
          if (message.t === 'hello') setServerTime(message.at)
          notifyEach(areas, ({ onLive }) => onLive?.(message))
        }
      },
    })
    socket.watch(watched, [])
    const leavePage = watchPage({ wake, lose })
    onUnanswered(verifyLink)
    return () => {
      leavePage()
      socket?.close()
      socket = null
      listeners = []
    }
  }, [areas])
}

/** Back from sleep, from another tab or from a dead network: the connection is checked at once instead of after its next silence. */
const wake = () => socket?.wake()
const verifyLink = () => socket?.doubt()
const lose = () => socket?.lose()

/** Somebody asks: connects now, and fetches anew what failed. */
export function reconnect(): void {
  wake()
  notifyTurn()
  void queryClient.invalidateQueries()
}

function notifyTurn(): void {
  notifyEach(listeners, ({ onTurn }) => onTurn?.())
}
