import type { DeviceDataRow, deviceData, Request, ZoneClock } from '@linewarden/contract'
import { Refusal, zoneClock } from '@linewarden/contract'
import type { Point, Text } from '@linewarden/equipment'
import { COUNTER_SLOT, pointOf } from '@linewarden/equipment'
import type { DeviceDataStep, Period } from '@linewarden/rules/report'
import { isPeriod, maxDeviceDataDays } from '@linewarden/rules/report'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'

type Asked = Pick<Request<typeof deviceData>['body'], 'LineIDs' | 'Points' | 'Step' | 'From' | 'To'>

/** A table that somebody asks for, with all of its lines checked against what they see. */
export interface DeviceTable {
  /** Rows of one time stand in this order. */
  readonly lines: readonly PlantLine[]
  readonly project: PlantProject
  readonly zone: ZoneClock
  /** As the first of the lines has each that has it. */
  readonly points: readonly Point[]
  readonly step: DeviceDataStep
  readonly period: Period
}

/** Throws Refusal where a line is not seen, as if there were none, and where what is asked for is no table. */
export function tableOf(plant: Pick<Plant, 'lines'>, actor: Actor, { LineIDs, Points, Step, From, To }: Asked): DeviceTable {
  const lines = LineIDs.map((id) => {
    const line = plant.lines.get(id)
    if (!line || !actor.seesGateway(line.device.gateway)) throw new Refusal('line not exists')
    return line
  })
  const projects = new Set(lines.map(({ device }) => device.gateway.project))
  const [project] = projects
  if (!project || projects.size > 1)
    throw wrong('LineIDs', { zh: '只能选择同一个项目的线路', en: 'must be lines of one project' })
  const points = Points.map((key, index) => {
    const point = lines.map(({ device }) => pointOf(device.family, key)).find((each) => each != null)
    if (!point) throw wrong(`Points.${index}`, { zh: '所选线路都没有这个测点', en: 'is a point of none of these lines' })
    return point
  })
  const period = { from: From, to: To }
  if (!isPeriod(period, Step)) throw wrong('To', periodText(Step))
  return { lines, project, zone: zoneClock(project.timeZone), points, step: Step, period }
}

export const wrong = (field: string, Text: Text): Refusal =>
  new Refusal('invalid parameter', {}, [{ Path: `body.${field}`, Text }])

const stepNames: Readonly<Record<DeviceDataStep, Text>> = {
  raw: { zh: '逐条', en: 'every reading' },
  quarter: { zh: '15 分钟', en: '15 minutes' },
  hour: { zh: '小时', en: 'hours' },
  day: { zh: '日', en: 'days' },
}

const periodText = (step: DeviceDataStep): Text => {
  const most = maxDeviceDataDays[step]
  return {
    zh: `应晚于开始时间；步长为${stepNames[step].zh}时最多 ${most} 天`,
    en: `must be after From, by at most ${most} days where the step is ${stepNames[step].en}`,
  }
}

export const isCounter = ({ slot }: Point): boolean => slot === COUNTER_SLOT

/** The measured slots that are read, each once: points of one key may stand in other slots in other families. */
export const slotsOf = ({ lines, points }: Pick<DeviceTable, 'lines' | 'points'>): readonly number[] => [
  ...new Set(lines.flatMap((line) => points.flatMap(({ key }) => pointOf(line.device.family, key)?.slot ?? []))),
]

type Figure = NonNullable<DeviceDataRow['Figures'][number]>

/** The figures of a row, as its line has the points; null where it has none of that key. */
export const figuresOf = (
  line: PlantLine,
  points: readonly Point[],
  figure: (point: Point) => Figure,
): DeviceDataRow['Figures'] =>
  points.map(({ key }) => {
    const own = pointOf(line.device.family, key)
    return own ? rounded(figure(own), own.precision + 2) : null
  })

/** Stored in single precision: 12.3 would else be 12.300000190734863. */
function rounded({ Value, Min, Max }: Figure, decimals: number): Figure {
  const round = (value: number | null) => (value === null ? null : Number(value.toFixed(decimals)))
  return { Value: round(Value), Min: round(Min), Max: round(Max) }
}
