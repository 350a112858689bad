import type { Text } from '@linewarden/equipment'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import type { LifeFact } from '@linewarden/rules/control'
import type { GatewayStory, PastStep, ProjectPlan } from '@linewarden/simulator'
import { reactionsOf } from './demo-linkages.ts'
import type { NightTimer } from './demo-timers.ts'
import { nightTimers } from './demo-timers.ts'

/** How long the demo's cabinets have been there: a drift needs forty days of leakage, the garage has the ten weeks of a growth of load. */
const usualDays = 45
const garageDays = 80
const garage = 'GW-WH-06'

const chinaOffsetMs = 8 * hourMs

/** Something slow, which goes on in the present. */
interface SlowFault {
  readonly daysAgo: number
  readonly target: string
  readonly fault: string
  readonly given: Readonly<Record<string, string | number>>
}

/** What early warning and the balance of energy are for: none of it has reached a limit that a device acts at. */
const slowFaults: readonly SlowFault[] = [
  // A terminal that works loose, and heats with the square of the current.
  { daysAgo: 30, target: 'BJ02-T1/3', fault: 'contactHeating', given: { excessK: 90, over: '60d', phase: 'B' } },
  // Lighting cable in a damp cellar.
  { daysAgo: 34, target: 'WH02-S1/5', fault: 'leakageDrift', given: { mA: 110, over: '60d', damp: 0.2 } },
  // Every month somebody else buys an electric car.
  { daysAgo: 77, target: 'WH06-T1/2', fault: 'loadGrowth', given: { factor: 1.25, over: '12w' } },
  // A release that gets slower, seen only by its tests.
  { daysAgo: 25, target: 'WH01-S1/2', fault: 'releaseSlow', given: { ms: 90, rise: 30 } },
  // A sub-meter with the ratio of another transformer, which is above its feeder, and one that measures one phase of three.
  { daysAgo: 44, target: 'BJ03-T1/2', fault: 'ctWrong', given: { factor: 2 } },
  { daysAgo: 44, target: 'WH03-T1/2', fault: 'ctWrong', given: { factor: 1 / 3 } },
]

/** Times of the day are the site's own. */
type Happening = readonly [
  daysAgo: number,
  clock: string,
  target: string,
  what: string,
  given?: Readonly<Record<string, string | number>>,
]

const happenings: readonly Happening[] = [
  [60, '19:42', 'WH06-T1/4', 'leakageTrip', { times: 1.4 }],
  [60, '20:20', 'WH06-T1/4', 'close 充电枪进水，已更换枪线|Water in the charging gun, cable replaced'],
  [38, '09:16', 'BJ06-T1/3', 'overload', { factor: 1.8 }],
  [38, '10:02', 'BJ06-T1/3', 'mend'],
  [31, '21:18', 'WH05-S1/6', 'shortCircuit', { times: 14 }],
  [31, '22:40', 'WH05-S1/6', 'close 屋顶灯线已换|Roof lighting cable replaced'],
  [27, '12:21', 'BJ02-Y1', 'smoke', { percentPerM: 18 }],
  [27, '12:29', 'BJ02-Y1', 'reset'],
  // A linkage had tripped them.
  ...['BJ02-T1/2', 'BJ02-S1/3', 'BJ02-S1/4'].map(
    (each, i): Happening => [27, `12:4${i}`, each, 'close 茶水间蒸汽误报，现场无异常|False alarm by steam, nothing found'],
  ),
  [24, '10:40', 'BJ03-S1/3', 'overload', { factor: 2.7 }],
  [24, '11:05', 'BJ03-S1/3', 'mend'],
  [21, '13:05', 'GW-BJ-04', 'cut 190m'],
  [19, '11:42', 'BJ01-G1', 'gasLeak', { percentLel: 26 }],
  [19, '11:55', 'BJ01-G1', 'reset'],
  [16, '22:41', 'WH04-S1/2', 'leakageTrip', { times: 1.7 }],
  [16, '23:06', 'WH04-S1/2', 'close 拔下漏电的电热毯后恢复|Restored after a leaking appliance was unplugged'],
  [14, '07:50', 'BJ06-W1', 'water'],
  [14, '08:35', 'BJ06-W1', 'mend'],
  [14, '08:50', 'BJ06-S1/2', 'close 地面已清理，插座干燥|Floor dried, the socket is dry'],
  // The grid fails in one building: the gateway lives on its battery for a while.
  [11, '14:05', 'GW-WH-03', 'upstreamOutage', { for: '95m', battery: '10h' }],
  [11, '14:25', 'GW-WH-03', 'cut 74m'],
  [9, '15:12', 'BJ01-S1/5', 'leakageTrip', { times: 1.3 }],
  [9, '15:31', 'BJ01-S1/5', 'close 开水器已停用送修|Water boiler taken out for repair'],
  // A switch in the computer room of the park is exchanged.
  ...['GW-BJ-01', 'GW-BJ-02', 'GW-BJ-03'].map((each, i): Happening => [20, `12:34:${8 + 9 * i}`, each, 'cut 21m']),
  // The provider's network, for every building at once.
  ...['GW-WH-01', 'GW-WH-02', 'GW-WH-03', 'GW-WH-04', 'GW-WH-05'].map(
    (each, i): Happening => [6, `16:40:${10 + 7 * i}`, each, 'cut 26m'],
  ),
  // An incomer opens, and everything downstream of it is dead.
  [5, '17:22', 'BJ05-T1/1', 'leakageTrip', { times: 1.2 }],
  [5, '17:48', 'BJ05-T1/1', 'close 故障支路已隔离|Faulty branch isolated'],
  [4, '09:10', 'BJ04-S1/7', 'leakageStep', { mA: 105 }],
  [3, '16:30', 'BJ04-S1/7', 'mend'],
  // A linkage had tripped the line beside the water, so that the log of the week has one.
  [2, '06:55', 'BJ06-W1', 'water'],
  [2, '07:20', 'BJ06-W1', 'mend'],
  [2, '07:34', 'BJ06-S1/2', 'close 排水管已疏通，插座干燥|Drain cleared, the socket is dry'],
  [2, '10:15', 'WH01-N1', 'lowBattery'],
  [1, '20:05', 'WH06-T1/5', 'overload', { factor: 1.72 }],
  [1, '20:31', 'WH06-T1/5', 'mend'],
]

/** Lines that are tested by the month, at night, one after the other, and closed again. */
const monthly = { zh: '月度漏电自检', en: 'Monthly RCD test' }
const tests = [
  { lines: [1, 2, 3, 4, 5, 8].map((lineNo) => `BJ01-S1/${lineNo}`), nights: [33, 3], reason: monthly },
  // Newly built: until there is a baseline they are tested more often.
  {
    lines: [1, 2, 3, 5, 6].map((lineNo) => `WH01-S1/${lineNo}`),
    nights: [41, 38, 33, 28, 23, 18, 13, 8, 3],
    reason: { zh: '投运初期漏电自检', en: 'RCD test after commissioning' },
  },
]
const afterTest = { zh: '自检后恢复供电', en: 'Supply restored after test' }

/** What a group opens in the evening, and closes in the morning. */
const parkLights = ['BJ01-S1/2', 'BJ02-S1/2', 'BJ03-S1/2', 'BJ04-S1/2', 'BJ05-S1/2']
const groupNights = [13, 8]
export const lightsOff = { zh: '假期前关闭照明', en: 'Lighting off before the holiday' }
const lightsOn = { zh: '恢复照明', en: 'Lighting restored' }

/** What timers did, with what the command history says of it; the last nights, the one that is not over included. */
const timedNights = [3, 2, 1, 0]
export const timedReasons: ReadonlyMap<NightTimer, Text> = new Map(
  (Object.keys(nightTimers) as NightTimer[]).map((key) => {
    const { name } = nightTimers[key]
    return [key, { zh: `定时「${name}」`, en: `Timer “${name}”` }]
  }),
)

/** What happened behind each gateway of the demo until now. */
export function pastOf(plan: readonly ProjectPlan[], until: number): ReadonlyMap<string, GatewayStory> {
  const at = clockOf(until)
  const steps = [
    ...happenings.map((each) => stepOf(each, at)),
    ...slowFaultsSince(plan, until).map(({ since, ...fault }) => ({ ...fault, at: since })),
    ...tests.flatMap(({ lines, nights, reason }) =>
      nights.flatMap((night) =>
        lines.flatMap((target, i): PastStep[] => {
          const begins = at(night, '02:00') + i * minuteMs
          return [
            { at: begins, target, operate: 'selfTest', reason },
            { at: begins + 20_000, target, operate: 'close', reason: afterTest },
          ]
        }),
      ),
    ),
    ...groupNights.flatMap((night) =>
      parkLights.flatMap((target, i): PastStep[] => [
        { at: at(night, '22:30') + i * 2_000, target, operate: 'trip', reason: lightsOff },
        { at: at(night - 1, '06:40') + i * 9_000, target, operate: 'close', reason: lightsOn },
      ]),
    ),
    ...[...timedReasons].flatMap(([key, reason]) =>
      timedNights.flatMap((night) =>
        nightTimers[key].lines.flatMap((target, i): PastStep[] => [
          { at: at(night, nightTimers[key].off) + 300, target, operate: 'trip', reason },
          { at: at(night - 1, nightTimers[key].on) + 300 + i * 1_000, target, operate: 'close', reason },
        ]),
      ),
    ),
  ]
  return new Map(
    plan
      .flatMap(({ gateways }) => gateways)
      .map((gateway) => {
        const from = until - (gateway.number === garage ? garageDays : usualDays) * dayMs
        const isOfIt = ({ target }: PastStep) =>
          target === gateway.number || gateway.devices.some(({ controllerId }) => target.split('/')[0] === controllerId)
        return [
          gateway.number,
          {
            ...{ from, reactions: reactionsOf(gateway) },
            steps: steps.filter((step) => isOfIt(step) && step.at > from && step.at < until),
          },
        ] as const
      }),
  )
}

/** What happens at work does not happen on a weekend: then it was on the Friday before. */
function onWorkday(daysAgo: number, at: ReturnType<typeof clockOf>): number {
  const day = new Date(at(daysAgo, '00:00') + chinaOffsetMs).getUTCDay()
  return daysAgo + (day === 6 ? 1 : day === 0 ? 2 : 0)
}

/** When each began, of a past that was written then. */
export const slowFaultsSince = (plan: readonly ProjectPlan[], writtenAt: number) =>
  slowFaults
    .filter(({ target }) => isOf(plan, target))
    .map(({ daysAgo, ...fault }) => ({ ...fault, since: clockOf(writtenAt)(daysAgo, '08:00') }))

export const earliestOf = (stories: ReadonlyMap<string, GatewayStory>): number =>
  Math.min(...[...stories.values()].map(({ from }) => from))

/** When every night of the past was looked at: a while after the day had ended. */
export function nightsOf(stories: ReadonlyMap<string, GatewayStory>, until: number): readonly number[] {
  const at = clockOf(until)
  const days = Math.ceil((until - earliestOf(stories)) / dayMs)
  return Array.from({ length: days }, (_, i) => at(days - 1 - i, '00:15')).filter((night) => night < until)
}

/** A time of day so many days before the one that `until` is in, by the clock of the site. */
function clockOf(until: number): (daysAgo: number, clock: string) => number {
  const midnight = Math.floor((until + chinaOffsetMs) / dayMs) * dayMs - chinaOffsetMs
  return (daysAgo, clock) => {
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
    return midnight - daysAgo * dayMs + hours * hourMs + minutes * minuteMs + seconds * 1_000
  }
}

function stepOf([daysAgo, clock, target, what, given]: Happening, at: ReturnType<typeof clockOf>): PastStep {
  const [verb = '', words = ''] = what.split(/ (.*)/)
  const moment = at(onWorkday(daysAgo, at), clock)
  if (verb === 'cut') return { at: moment, target, cutForMs: Number.parseInt(words, 10) * minuteMs }
  const [zh = '', en = ''] = words.split('|')
  if (verb === 'close') return { at: moment, target, operate: 'close', reason: { zh, en } }
  return { at: moment, target, fault: verb, ...(given && { given }) }
}

/** An order that came to nothing, and what happened to it. */
export interface FailedOrder {
  readonly at: number
  readonly target: string
  readonly action: 'trip' | 'close' | 'selfTest'
  readonly reason: Text
  readonly facts: readonly LifeFact[]
}

/** Of the lines of this plan. */
export function failedOrders(plan: readonly ProjectPlan[], until: number): FailedOrder[] {
  const clock = clockOf(until)
  const [locked, away] = [clock(17, '14:22'), clock(21, '13:40')]
  const all: FailedOrder[] = [
    {
      ...{ at: locked, target: 'BJ03-S1/6', action: 'selfTest', reason: monthly },
      facts: [
        { kind: 'sent', at: locked + 40 },
        { kind: 'result', status: 'refused', reason: 'local_lock', at: locked + 180 },
      ],
    },
    {
      ...{ at: away, target: 'BJ04-S1/2', action: 'trip', reason: { zh: '检修照明回路', en: 'Work on the lighting circuit' } },
      facts: [{ kind: 'notSent', reason: 'offline', at: away + 30_500 }],
    },
  ]
  return all.filter(({ target }) => isOf(plan, target))
}

const isOf = (plan: readonly ProjectPlan[], target: string): boolean =>
  plan.some(({ gateways }) =>
    gateways.some(({ devices }) => devices.some(({ controllerId }) => controllerId === target.split('/')[0])),
  )
