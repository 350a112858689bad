import type { EventRecord } from '@linewarden/contract'
import type { TurnPage } from '@linewarden/rules/screen'
import { paths, plantDiagram } from '../../paths.ts'

type Placed = Pick<EventRecord, 'HouseID' | 'ControllerID'>

/** Whether a page of a wall shows what happened there. */
const shows = (page: string, { HouseID, ControllerID }: Placed): boolean =>
  page === paths.bigScreen ||
  page === plantDiagram(HouseID) ||
  (ControllerID !== null && page === paths.bigScreenDetail.replace(':ControllerID', encodeURIComponent(ControllerID)))

/** The pages of a link as they take turns: one with an open event comes twice as often. */
export const linkTurns = (pages: readonly string[], events: readonly Placed[]): readonly TurnPage[] =>
  pages.map((key) => ({ key, isEmpty: false, isAbnormal: events.some((event) => shows(key, event)) }))

/** Where an event that calls is shown: on the diagram of its project before the overview, which shows it in any case. */
export const pageOfCall = (pages: readonly string[], event: Placed): string =>
  pages.find((page) => page !== paths.bigScreen && shows(page, event)) ?? paths.bigScreen
