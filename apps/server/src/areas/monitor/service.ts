import type { LineDetails, LineState, List, lineReadings, RecordingRecord, Reply, taggedLines } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { effectiveSetting, settingRange } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { lineState } from '../../plant/line-state.ts'
import { deviceLinkOf } from '../../plant/link-record.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { countTagged } from '../../store/control/tag.ts'
import type { Database } from '../../store/core/database.ts'
import { readRange } from '../../store/monitor/readings.ts'
import { recordingsIn } from '../../store/monitor/recording.ts'

export type Monitor = ReturnType<typeof createMonitor>

const maxMs = 31 * dayMs
const maxRecordings = 20

interface Range {
  readonly From: number
  readonly To: number
}

/** What the equipment says now, and what it reported. */
export function createMonitor({ database, plant }: { database: Database; plant: Plant }) {
  return {
    snapshot(actor: Actor, project: PlantProject | null): List<LineState> {
      const lines = [...plant.lines.values()].filter(({ device }) => {
        const { gateway } = device
        return actor.seesGateway(gateway) && (project === null || gateway.project === project)
      })
      return { items: lines.map(lineState), total: lines.length }
    },

    /** By the database: what another server hung or took off is not in this one's memory. */
    async tagged(actor: Actor): Promise<Reply<typeof taggedLines>> {
      const counts = await countTagged(database)
      const items = [...plant.lines.values()].flatMap(({ id, device: { gateway } }) => {
        const Tags = counts.get(id)
        return Tags && actor.seesGateway(gateway) ? [{ LineID: id, HouseID: gateway.project.id, Tags }] : []
      })
      return { items, total: items.length }
    },

    details(line: PlantLine): LineDetails {
      const { device } = line
      const { gateway } = device
      return {
        LineID: line.id,
        LineNo: line.lineNo,
        LineName: line.name,
        ControllerID: device.controllerId,
        DeviceName: device.name,
        Family: device.family.key,
        Model: device.model,
        RatedCurrentA: line.ratedCurrentA,
        HouseID: gateway.project.id,
        HouseName: gateway.project.name,
        DeviceID: gateway.id,
        GatewayName: gateway.name,
        Link: deviceLinkOf(device),
        State: lineState(line),
        Settings: device.family.settings.map((setting) => {
          const reported = line.reported.get(setting.key) ?? null
          const { min, max } = settingRange(setting, device.model, line.ratedCurrentA)
          return {
            Key: setting.key,
            Reported: reported,
            Effective: effectiveSetting(setting, reported, device.model, line.ratedCurrentA),
            Min: min,
            Max: max,
          }
        }),
      }
    },

    async readings(line: PlantLine, { From, To }: Range): Promise<Reply<typeof lineReadings>> {
      checkRange({ From, To })
      const { points } = line.device.family
      const { rows, bucketMs } = await readRange(database, line.id, From, To)
      return {
        Points: points.map(({ key }) => key),
        Rows: rows.map(([at, slots, quality]) => [at, points.map(({ slot }) => slots[slot] ?? null), quality]),
        BucketMs: bucketMs,
      }
    },

    async recordings(line: PlantLine, { From, To }: Range): Promise<List<RecordingRecord>> {
      checkRange({ From, To })
      const { recordings = [] } = line.device.family
      const items = (await recordingsIn(database, line.id, From, To, maxRecordings)).flatMap(({ key, at, samples }) => {
        const recording = recordings.find((each) => each.key === key)
        if (!recording) return []
        const { unit, perSecond, divisor } = recording
        const Samples = Array.from({ length: samples.length / 2 }, (_, index) => samples.readInt16LE(index * 2) / divisor)
        return [{ Key: key, At: at, Unit: unit, PerSecond: perSecond, Samples }]
      })
      return { items, total: items.length }
    },
  }
}

function checkRange({ From, To }: Range): void {
  if (To > From && To - From <= maxMs) return
  const text = { zh: '结束时间应晚于开始时间，且跨度不超过 31 天', en: 'must be after From, by at most 31 days' }
  throw new Refusal('invalid parameter', {}, [{ Path: 'query.To', Text: text }])
}
