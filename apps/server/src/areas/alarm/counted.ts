import type { listEvents, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Plant } from '../../plant/plant.ts'
import type { CountedEvents } from '../../store/hazard/counted.ts'

type Counted = NonNullable<Request<typeof listEvents>['body']['Counted']>

/** What the statistics counted, as the store finds it. Refuses what is no day, and the clock of no project. */
export function countedEventsOf(plant: Plant, { As, From, To, FromDay, ToDay, Hour }: Counted): CountedEvents {
  if (As === 'longActive') {
    if (FromDay === undefined && From === undefined) throw wrong('From', '请给出时刻或日期', 'say a moment or a day')
    return {
      as: As,
      at: FromDay === undefined ? (From ?? null) : null,
      day: FromDay === undefined ? null : dayIn('FromDay', FromDay),
    }
  }
  const zones = new Set([...plant.projects.values()].map(({ timeZone }) => timeZone))
  if (Hour && !zones.has(Hour.TimeZone)) throw wrong('Hour.TimeZone', '没有项目使用这一时区', 'is the time zone of no project')
  if ((FromDay === undefined) !== (ToDay === undefined))
    throw wrong('ToDay', '开始日期与结束日期须同时给出', 'goes together with FromDay')
  return {
    as: As,
    from: From ?? null,
    to: To ?? null,
    days:
      FromDay === undefined || ToDay === undefined ? null : { from: dayIn('FromDay', FromDay), to: dayIn('ToDay', ToDay) + 1 },
    hour: Hour ? { weekday: Hour.Weekday, hour: Hour.Hour, timeZone: Hour.TimeZone } : null,
  }
}

function dayIn(name: 'FromDay' | 'ToDay', text: string): number {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at) || at < 0 || new Date(at).toISOString().slice(0, 10) !== text)
    throw wrong(name, '没有这一天', 'is no day that there is')
  return at / dayMs
}

const wrong = (name: string, zh: string, en: string) =>
  new Refusal('invalid parameter', {}, [{ Path: `body.Counted.${name}`, Text: { zh, en } }])
