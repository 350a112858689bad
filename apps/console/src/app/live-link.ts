import type { Live, LiveLink } from '@linewarden/client'
import { openLive } from '@linewarden/client'
import type { CommandRecord } from '@linewarden/contract'
import { useEffect } from 'react'
import { create } from 'zustand'
import { live, tellEvent } from '../areas/monitor/live-store.ts'
import { fetchNewEvents } from '../areas/monitor/queries.ts'
import { api } from './api.ts'
import { clearPopUps } from './pop-ups.tsx'
import { queryClient } from './query-client.ts'
import { end, onSessionChange } from './session.ts'

/** How the live socket stands, for the header and the fallback poll. */
export const useLiveLink = create<{ link: LiveLink; everOpen: boolean }>(() => ({ link: 'connecting', everOpen: false }))

let socket: Live | null = null

onSessionChange(() => {
  live.clear()
  clearPopUps()
})
let watched: readonly number[] = []

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
      onSessionEnd: end,
      onLink(link) {
        const { link: before, everOpen } = useLiveLink.getState()
        // A new attempt is still no link: until it is open the page keeps polling and its values stay marked.
        if (link === 'connecting' && before === 'closed') return
        useLiveLink.setState({ link, everOpen: everOpen || link === 'open' })
        if (link !== 'open') return
        // What was missed while it was away is fetched, not guessed.
        if (everOpen) void queryClient.invalidateQueries()
        void fetchNewEvents()
      },
      onMessages(messages) {
        live.apply(messages)
        for (const message of messages) {
          if (message.t === 'event') {
            tellEvent(message.event, message.isNew)
            void queryClient.invalidateQueries({ queryKey: ['events'] })
          } else if (message.t === 'command') putCommand(message.command)
          else if (message.t === 'tree') {
            void queryClient.invalidateQueries({ queryKey: ['tree'] })
            void queryClient.invalidateQueries({ queryKey: ['snapshot'] })
          }
        }
      },
    })
    socket.watch(watched, [])
    return () => {
      socket?.close()
      socket = null
    }
  }, [])
}

/** Each step of a command goes straight into the ledger that is on the page. */
function putCommand(command: CommandRecord): void {
  queryClient.setQueryData<{ items: readonly CommandRecord[]; total: number }>(
    ['commands', command.ControllerID, command.LineNo],
    (before) => {
      if (!before) return before
      const others = before.items.filter((each) => each.CommandID !== command.CommandID)
      const items = [command, ...others].sort((a, b) => b.RequestedAt - a.RequestedAt)
      return { items, total: items.length }
    },
  )
  void queryClient.invalidateQueries({ queryKey: ['permit', command.ControllerID, command.LineNo] })
}
