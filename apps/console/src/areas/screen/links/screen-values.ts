import type { addScreen, Group, Request, ScreenLink } from '@linewarden/contract'
import { paths, plantDiagram } from '../../../paths.ts'
import { language } from '../../../ui/i18n.ts'

type Fields = Request<typeof addScreen>['body']

/** A link as it is entered. */
export interface ScreenValues {
  readonly Name: string
  readonly of: 'projects' | 'group'
  readonly HouseIDs: readonly number[]
  readonly CityID: string
  /** `plants`: the overview and the diagram of each project; `kept`: pages that were chosen otherwise. */
  readonly pages: 'overview' | 'plants' | 'kept'
  readonly DwellS: string
  readonly Language: Fields['Language']
  readonly Theme: Fields['Theme']
  readonly NamesOfPeople: boolean
  readonly MostSeats: string
}

const maxPages = 20

export function screenStart(link: ScreenLink | null): ScreenValues {
  if (!link)
    return {
      ...{ Name: '', of: 'projects', HouseIDs: [], CityID: '', pages: 'overview', DwellS: '20', Language: language() },
      ...{ Theme: 'dark', NamesOfPeople: false, MostSeats: '1' },
    }
  const { Name, Scope, Pages, DwellS, Language, Theme, NamesOfPeople, MostSeats } = link
  return {
    ...{ Name, Language, Theme, NamesOfPeople, HouseIDs: Scope.HouseIDs, DwellS: String(DwellS), MostSeats: String(MostSeats) },
    of: Scope.CityID === null ? 'projects' : 'group',
    CityID: Scope.CityID === null ? '' : String(Scope.CityID),
    pages: Pages.length === 0 ? 'overview' : Pages.join() === pagesOf(Scope.HouseIDs).join() ? 'plants' : 'kept',
  }
}

/** The overview, and the diagram of each as far as there is room. */
const pagesOf = (houseIds: readonly number[]): string[] => [paths.bigScreen, ...houseIds.map(plantDiagram)].slice(0, maxPages)

/** What is sent of it; `before`: the link that is changed. */
export function screenOf(values: ScreenValues, groups: readonly Group[], before: ScreenLink | null): Fields {
  const CityID = values.of === 'group' ? Number(values.CityID) : null
  const HouseIDs = CityID === null ? [...values.HouseIDs] : []
  const shown =
    CityID === null ? HouseIDs : (groups.find((group) => group.CityID === CityID)?.Houses ?? []).map(({ HouseID }) => HouseID)
  const pages = { overview: [], plants: pagesOf(shown), kept: before?.Pages ?? [] }
  return {
    ...{ Name: values.Name.trim(), Scope: { CityID, HouseIDs }, Pages: pages[values.pages], DwellS: Number(values.DwellS) },
    ...{ Language: values.Language, Theme: values.Theme, NamesOfPeople: values.NamesOfPeople },
    ...{ MostSeats: Number(values.MostSeats), HardUntil: before?.HardUntil ?? null },
  }
}

/** Whether a text is a whole number within these. */
export const isWithin = (text: string, least: number, most: number): boolean =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

/** Where a wall opens a link. */
export const addressOfKey = (origin: string, key: string): string => `${origin}${paths.bigScreen}#k=${key}`
