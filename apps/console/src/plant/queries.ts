import type { Project } from '@linewarden/contract'
import { searchTree, snapshot, tree } from '@linewarden/contract'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '../app/net/api.ts'
import { combineQueries, hasFailed } from '../app/net/combined-query.ts'
import { noteStalePart } from '../app/net/connectivity.ts'
import { keyOf } from '../app/net/keys.ts'
import { fetchTree } from '../app/net/prefetch.ts'
import { Turns } from '../app/net/turns.ts'
import { useCall } from '../app/net/use-call.ts'
import { linesOfProject } from './equipment.ts'
import { live } from './live-store.ts'

/** The 6-second poll of the specification: only while the live socket is away. */
export const pollMs = 6_000
/** So long a page waits for one project, also on a slow network; one that hangs must not hold up the turn of the others. */
const bulkAnswerMs = 30_000
/** Counts of projects whose lines the page does not watch. */
const countsMs = 15_000

/** Groups and projects with their counts, without what is in them. */
export const useTree = (polling = false) =>
  useCall(
    tree,
    { query: { Depth: 'projects' } },
    { queryFn: fetchTree, staleTime: countsMs, refetchInterval: polling ? pollMs : countsMs },
  )

/** A page of a whole plant asks for each of its projects; two connections of the browser stay free for what a person asks for. */
const bulk = new Turns(4)
const projectTurn = (HouseID: number) => `project ${HouseID}`
const snapshotTurn = (HouseID: number) => `snapshot ${HouseID}`

/** Somebody looks into these projects now: what is in them, and how it stands, comes before the rest of the plant. */
export function hurryProjects(houseIds: readonly number[]): void {
  for (const turn of [snapshotTurn, projectTurn]) for (const id of houseIds) bulk.hurry(turn(id))
}

const projectQuery = (HouseID: number, polling: boolean) => ({
  // What is kept is the project, with its links told to the live store: an answer of its own.
  queryKey: [...keyOf(tree, { query: { HouseID } }), 'project'],
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
      const lacking = without.length > 0 ? combineQueries(without) : null
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
export function useLineRefs(projects: readonly Project[]) {
  return useMemo(() => projects.flatMap(linesOfProject), [projects])
}

/** Fills the live store with some projects' lines; again and again while the socket is away. */
export function useSnapshots(houseIds: readonly number[], polling: boolean) {
  const { isLoading, fails } = useQueries({
    queries: houseIds.map((HouseID) => ({
      queryKey: [...keyOf(snapshot, { query: { HouseID } }), 'count'],
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
  useEffect(() => (fails ? noteStalePart() : undefined), [fails])
  return { isLoading }
}

/** Gateways and lines that are called so, wherever they are. */
export const useSearch = (text: string) =>
  useCall(searchTree, { query: { Text: text } }, { enabled: text !== '', staleTime: 30_000 })
