import type { Text } from '@linewarden/equipment'
import type { Place, PlacedPage } from '../terms/page.ts'
import { placedPages } from './pages.ts'

/** One page a role may open. `name.zh` is the permission label that goes over the wire (specification section 6). */
export interface Page {
  readonly key: string
  readonly name: Text
  /** The console's route, or that of its first child. */
  readonly route: string
  readonly subs?: readonly Page[]
}

interface Section extends Page {
  readonly subs: readonly Page[]
}

/** The pages of one place, in their order. */
const pagesOf = (place: Place): readonly Page[] =>
  Object.entries<PlacedPage>(placedPages)
    .filter(([, page]) => page.place === place)
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([key, { name, route }]) => ({ key, name, route }))

/** Parts of the report section: a role that may open it gets them all. */
export const reportPages = pagesOf('report')

const section = <const K extends Place>(key: K, zh: string, en: string, route: string) =>
  ({ key, name: { zh, en }, route, subs: pagesOf(key) }) as const satisfies Section

const sections = [
  section('devmon', '设备监控', 'Monitoring', '/devmon'),
  section('timer', '定时场景', 'Timers and scenes', '/timer'),
  section('hazard', '隐患分析', 'Hazards', '/hazard'),
  section('energy', '能耗统计', 'Energy', '/energyStatistics'),
  section('system', '系统管理', 'System', '/system'),
] as const

export const pages: readonly Section[] = sections

type SectionKey = (typeof sections)[number]['key']
type Placed = typeof placedPages
export type PagePermission = SectionKey | { [K in keyof Placed]: Placed[K]['place'] extends SectionKey ? K : never }[keyof Placed]

/** Button permissions of a role (`LevelBtn`). */
export const buttons = {
  manageTiming: { zh: '管理定时', en: 'Manage timers' },
  manageScene: { zh: '管理场景', en: 'Manage scenes' },
  lineSwitch: { zh: '线路分合闸', en: 'Trip and close lines' },
  tagLines: { zh: '挂牌', en: 'Apply lock-out tags' },
  gatewayEnable: { zh: '网关启停', en: 'Enable gateways' },
} as const satisfies Record<string, Text>

export type ButtonPermission = keyof typeof buttons

export const isButtonPermission = (key: string): key is ButtonPermission => Object.hasOwn(buttons, key)

/** Pages of whoever runs the installation: no role holds them, and they stand last in the system section. */
export const platformPages = pagesOf('platform')

/** Every page that a role may open: each may be the extra route of an account. */
export const ordinaryPages: readonly Page[] = [
  // Its address leads to the first of the reports, which are pages.
  ...pages.flatMap(({ subs }) => subs).filter(({ key }) => key !== 'system.report'),
  ...reportPages,
]
