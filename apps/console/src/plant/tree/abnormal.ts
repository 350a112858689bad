import type { Project } from '@linewarden/contract'
import type { AlarmKind } from '@linewarden/equipment'
import { awayOf, byAlarmKind, isAway } from '@linewarden/rules/alarm'
import { severityOf } from '../line-condition.ts'
import type { LiveStore } from '../live-store.ts'

/**
 * How much below a node of the tree is not normal. `away` counts gateways, and devices behind a gateway that is not; `tagged` lines that a
 * lock-out tag holds.
 */
export type Abnormal = Readonly<Counting>
type Counting = Record<AlarmKind | 'away' | 'tagged', number>

/** To be counted up from. */
export const nothingAbnormal = (): Counting => ({ ...byAlarmKind(() => 0), away: 0, tagged: 0 })

/** Keys of the nodes of the tree. */
export const nodeKey = {
  group: (id: number) => `c${id}`,
  house: (id: number) => `h${id}`,
  gateway: (id: number) => `g${id}`,
  device: (id: string) => `d${id}`,
  line: (id: number) => `l${id}`,
  /** What stands for the inside of the project with this key until that is here. */
  inside: (house: string) => `${house}…`,
}

/** What is abnormal below each node of these projects, from what the live store holds; a node without anything abnormal is missing. */
export function abnormalBelow(
  projects: readonly Project[],
  live: Pick<LiveStore, 'line' | 'link' | 'deviceLink'>,
): Map<string, Abnormal> {
  const found = new Map<string, Counting>()
  const count = (kind: keyof Counting, keys: readonly string[]) => {
    for (const key of keys) {
      const own = found.get(key) ?? nothingAbnormal()
      own[kind] += 1
      found.set(key, own)
    }
  }
  for (const project of projects) {
    const house = nodeKey.house(project.HouseID)
    for (const { DeviceID, Link, Devices } of project.Devices) {
      const link = (live.link(DeviceID) ?? Link).Link
      const gateway = [house, nodeKey.gateway(DeviceID)]
      if (isAway(link)) count('away', gateway)
      for (const device of Devices) {
        const own = [...gateway, nodeKey.device(device.ControllerID)]
        const deviceLink = (live.deviceLink(device.ControllerID) ?? device.Link).Link
        if (awayOf(link, deviceLink) === 'device') count('away', own)
        for (const { LineID } of device.Lines) {
          const state = live.line(LineID)
          const severity = severityOf(state)
          if (severity) count(severity, [...own, nodeKey.line(LineID)])
          if (state && state.Tags > 0) count('tagged', [...own, nodeKey.line(LineID)])
        }
      }
    }
  }
  return found
}
