import type { EventRecord, Project } from '@linewarden/contract'
import { isNewMessage, lineDetails, lineReadings, listEvents, searchTree, snapshot, tree } from '@linewarden/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { fetchTree } from '../app/net/ahead.ts'
import { api } from '../app/net/api.ts'
import { hasFailed, together } from '../app/net/asked.ts'
import { attempt } from '../app/net/attempt.ts'
import { queryClient } from '../app/net/query-client.ts'
import { reached, unheard } from '../app/net/reach.ts'
import { refreshSoon } from '../app/net/refresh-soon.ts'
import { Turns } from '../app/net/turns.ts'
import { useSession } from '../app/session/session.ts'
import { serverNow } from '../ui/use-now.ts'
import { linesOfProject } from './equipment.ts'
import { live, tellEvent } from './live-store.ts'

/** The 6-second poll of the specification: only while the live socket is away. */
export const pollMs = 6_000
/** A poll that gets no answer makes way for the next: a dead network does not refuse it, and the one under way keeps others back. */
const pollAnswerMs = 15_000
/** So long a page waits for one project, also on a slow network; one that hangs must not hold up the turn of the others. */
const bulkAnswerMs = 30_000
/** Counts of projects whose lines the page does not watch. */
const countsMs = 15_000

/** Groups and projects with their counts, without what is in them. */
export const useTree = (polling = false) =>
  useQuery({
    queryKey: ['tree', 'projects'],
    queryFn: fetchTree,
    staleTime: countsMs,
    refetchInterval: polling ? pollMs : countsMs,
  })

/** A page of a whole plant asks for each of its projects; two connections of the browser stay free for what a person asks for. */
const bulk = new Turns(4)
const projectTurn = (HouseID: number) => `project ${HouseID}`
const snapshotTurn = (HouseID: number) => `snapshot ${HouseID}`

/** Somebody looks into these projects now: what is in them, and how it stands, comes before the rest of the plant. */
export function hurryProjects(houseIds: readonly number[]): void {
  for (const turn of [snapshotTurn, projectTurn]) for (const id of houseIds) bulk.hurry(turn(id))
}

const projectQuery = (HouseID: number, polling: boolean) => ({
  queryKey: ['tree', 'project', HouseID],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { mark, Groups } = await bulk.take(
      projectTurn(HouseID),
      async () => ({ mark: live.mark(), ...(await api.call(tree, { query: { HouseID } }, { signal, timeoutMs: bulkAnswerMs })) }),
      signal,
    )
    const project = Groups[0]?.Houses[0]
    if (!project) throw new Error('the reply holds no project')
    const links = project.Devices.flatMap(({ Link, Devices }) => [Link, ...Devices.map((device) => device.Link)])
    live.loadLinks(links, mark)
    return project
  },
  staleTime: 60_000,
  refetchInterval: polling ? pollMs : (false as const),
})

/**
 * Some projects with all that is in them; `projects` has those that are here already, `lacking` says of the others why they are not, and
 * null that there are none; `failed` has those that were asked for in vain. What is here stays when it cannot be fetched anew.
 */
export function useProjects(houseIds: readonly number[], polling = false) {
  return useQueries({
    queries: houseIds.map((id) => projectQuery(id, polling)),
    combine: (results) => {
      const without = results.filter(({ data }) => data === undefined)
      const lacking = without.length > 0 ? together(without) : null
      return {
        projects: results.flatMap(({ data }): Project[] => (data ? [data] : [])),
        lacking,
        failed: houseIds.filter((_, at) => results.slice(at, at + 1).some(hasFailed)),
        isLoading: results.some(({ isLoading }) => isLoading),
      }
    },
  })
}

/** Every line of some projects, in the order of the tree. */
export function usePlacedLines(projects: readonly Project[]) {
  return useMemo(() => projects.flatMap(linesOfProject), [projects])
}

/** Fills the live store with some projects' lines; again and again while the socket is away. */
export function useSnapshots(houseIds: readonly number[], polling: boolean) {
  const { isLoading, fails } = useQueries({
    queries: houseIds.map((HouseID) => ({
      queryKey: ['snapshot', HouseID],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { mark, items } = await bulk.take(
          snapshotTurn(HouseID),
          async () => ({
            mark: live.mark(),
            ...(await api.call(snapshot, { query: { HouseID } }, { signal, timeoutMs: bulkAnswerMs })),
          }),
          signal,
        )
        live.load(items, mark)
        return items.length
      },
      refetchInterval: polling ? pollMs : (false as const),
    })),
    combine: (results) => ({
      isLoading: results.some(({ isLoading }) => isLoading),
      fails: results.some(({ isError }) => isError),
    }),
  })
  useEffect(() => (fails ? unheard() : undefined), [fails])
  return { isLoading }
}

/** Gateways and lines that are called so, wherever they are. */
export const useSearch = (text: string) =>
  useQuery({
    queryKey: ['search', text],
    queryFn: () => api.call(searchTree, { query: { Text: text } }),
    enabled: text !== '',
    staleTime: 30_000,
  })

/**
 * Up to which event this tab was told. By the answers that came: other tabs poll for themselves, and the socket may tell a newer event than
 * one that it lost. Empty: the server knows better.
 */
let toldUpTo = ''

/** Somebody else is signed in: what they were told, the server knows. */
export function forgetToldUpTo(): void {
  toldUpTo = ''
}

/** Tells what was raised since this tab was last told, and notes whether the server could be reached. */
export async function fetchNewEvents(): Promise<number> {
  const { token } = useSession.getState()
  const polled = await attempt(api.call(isNewMessage, { query: { Since: toldUpTo } }, { timeoutMs: pollAnswerMs }))
  reached(polled !== false)
  // What a former session was told says nothing of the present one, nor of who is signed in by now.
  if (!polled || useSession.getState().token !== token) return 0
  toldUpTo = polled.reply.Last
  for (const event of polled.reply.Events) {
    tellEvent(event, true)
    refreshLineEvents(event)
  }
  return polled.reply.Events.length
}

/**
 * The specification's poll, every 6 seconds; the socket brings most events sooner. Its errors are silent: so the contract has it. A tab that
 * nobody looks at goes on: an alarm is heard from there, too.
 */
export function useEventPoll() {
  useQuery({
    queryKey: ['isnew'],
    queryFn: fetchNewEvents,
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  })
}

const detailsMs = 15_000

export const useLineDetails = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: ['line', ControllerID, LineNo],
    queryFn: () => api.call(lineDetails, { params: { ControllerID, LineNo } }),
    // What is set from here is told; this finds what was set on site.
    refetchInterval: detailsMs,
  })

export const windowMs = 15 * 60_000

/** The last fifteen minutes as stored; what comes live is appended by the chart. */
export const useLastReadings = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: ['readings', ControllerID, LineNo],
    queryFn: () => {
      const now = serverNow()
      return api.call(lineReadings, { params: { ControllerID, LineNo }, query: { From: now - windowMs, To: now + 60_000 } })
    },
    refetchInterval: 60_000,
  })

const eventsOfLines = ['events'] as const
const eventsKey = (LineID: number) => [...eventsOfLines, LineID] as const
const eventsAfterMs = 500

export const useLineEvents = (LineID: number) =>
  useQuery({
    queryKey: eventsKey(LineID),
    queryFn: ({ signal }) => api.call(listEvents, { body: { LineID, Around: true, Size: 5 } }, { signal }),
  })

/** An event came. Of a flood over all the plant only what is on a line's page costs anything; one of a whole device or gateway may be. */
export function refreshLineEvents({ LineID }: EventRecord): void {
  if (LineID !== null && queryClient.getQueryState(eventsKey(LineID)) === undefined) return
  refreshSoon(LineID === null ? eventsOfLines : eventsKey(LineID), eventsAfterMs)
}
