import { CallError } from '@linewarden/client'
import type { Call, Group, MessageKey, Reply, ScreenView } from '@linewarden/contract'
import { getEnergy, getTopology, listLoad, screenView, taggedLines, textOf, tree } from '@linewarden/contract'
import { answerOnWall, api } from '../../../app/net/api.ts'
import { onSessionChange } from '../../../app/session/session.ts'
import { showLink } from './show-link.ts'

/** Pages ask for several parts of it together. */
const freshMs = 1_000

let kept: { readonly tag: string; readonly view: ScreenView } | null = null
let fetched: { readonly at: number; readonly view: Promise<ScreenView> } | null = null

onSessionChange(() => {
  kept = null
  fetched = null
})

/** All that a wall shows beside live values and events; what it has already is not sent again. */
function newestView(): Promise<ScreenView> {
  const now = performance.now()
  if (fetched && now - fetched.at < freshMs) return fetched.view
  const view = fetchView()
  fetched = { at: now, view }
  view.catch(() => {
    fetched = null
  })
  return view
}

async function fetchView(): Promise<ScreenView> {
  const { Tag, View } = await api.call(screenView, { query: kept ? { Tag: kept.tag } : {} })
  const view = View ?? kept?.view
  if (!view) throw new Error('the reply holds no view')
  kept = { tag: Tag, view }
  showLink(view.Link)
  return view
}

/** What a wall asks the server itself. */
const isOwn = ({ permission, onWalls }: Call): boolean => permission === 'public' || permission === 'screen' || onWalls === true

/**
 * A wall may make six calls: what its pages ask of others stands in its view. What does not is refused here as the server would, which
 * writes into its log who asks for what they may not.
 */
export const answerFromView = (): void =>
  answerOnWall((target, request) => {
    if (isOwn(target)) return undefined
    const answer = answers[target.name]
    return answer
      ? newestView().then((view) => answer(view, (request ?? {}) as Asked))
      : Promise.reject(refusedAs('access denied', 403))
  })

interface Asked {
  readonly params?: { readonly HouseID?: number }
  readonly query?: { readonly HouseID?: number; readonly Depth?: string }
  readonly body?: { readonly HouseID?: number }
}

const answers: Readonly<Record<Call['name'], (view: ScreenView, asked: Asked) => unknown>> = {
  [tree.name]: ({ Groups }, { query }): Reply<typeof tree> => ({
    Groups: query?.HouseID === undefined ? Groups : groupsOf(Groups, query.HouseID),
  }),
  [getTopology.name]: ({ Topologies }, { params }): Reply<typeof getTopology> =>
    shownOf(Topologies.find(({ HouseID }) => HouseID === params?.HouseID)),
  [taggedLines.name]: ({ Tagged }): Reply<typeof taggedLines> => ({ items: Tagged, total: Tagged.length }),
  [getEnergy.name]: ({ Energy }, { query }): Reply<typeof getEnergy> =>
    shownOf(Energy.find(({ HouseID }) => HouseID === query?.HouseID)).Picture,
  [listLoad.name]: ({ Load }, { body }) => {
    const items = shownOf(Load.find(({ HouseID }) => HouseID === body?.HouseID)).Rows
    return { items, total: items.length }
  },
}

const groupsOf = (groups: readonly Group[], houseId: number): Group[] => {
  const own = groups.flatMap(({ Houses, ...group }) => {
    const here = Houses.filter(({ HouseID }) => HouseID === houseId)
    return here.length === 0 ? [] : [{ ...group, Houses: here }]
  })
  shownOf(own[0])
  return own
}

/** As the server answers of what somebody does not see. */
function shownOf<T>(found: T | undefined): T {
  if (found !== undefined) return found
  throw refusedAs('project not exists', 404)
}

const refusedAs = (key: MessageKey, status: number): CallError =>
  new CallError({ kind: 'refusal', status, failure: { Code: 0, Message: key, Text: textOf(key) } })
