import type { Text } from '@linewarden/equipment'
import { selfTestEveryDays } from '@linewarden/rules/control'
import type { OnlineFacts } from '@linewarden/rules/inspection'
import { ruleDetector } from '@linewarden/rules/warning'
import type { PositionValidity } from '../../plant/line-state.ts'
import type { PlantDevice, PlantLine } from '../../plant/plant.ts'
import { linkOfDevice, reportingPeriodOf } from '../../plant/plant.ts'
import type { OnlineSource } from '../../store/inspection/line-source.ts'

/** What is known beside the line itself. */
export interface OnlineBeside {
  readonly source: OnlineSource
  readonly hazards: readonly Text[]
  /** As `model version`. */
  readonly withdrawn: ReadonlySet<string>
}

/** Everything that is known of a line at this moment. */
export function onlineFacts(
  line: PlantLine,
  validity: PositionValidity,
  { source, hazards, withdrawn }: OnlineBeside,
): OnlineFacts {
  const { device } = line
  const { gateway, family } = device
  const { link } = linkOfDevice(device)
  const position = link === 'online' && validity.hasValidPosition(line) ? line.states.get('position') : undefined
  return {
    ...{ family, model: device.model, ratedA: line.ratedCurrentA, link, hazards },
    ...{ periodMs: reportingPeriodOf(device), receivedAt: line.liveReceivedAt },
    clockGood: gateway.clockSynchronised === null ? null : gateway.clockSynchronised && line.clockGood,
    position: position === 'open' || position === 'closed' ? position : null,
    ...{ values: line.values, settings: line.reported, ordered: source.ordered },
    selfTest: { last: line.selfTest, ...(source.plan ?? { enabled: true, everyDays: selfTestEveryDays }) },
    alarms: [...line.alarms.values()].map(({ key }) => labelOf(device, key)),
    firmwareWithdrawn: gateway.firmware === null ? null : withdrawn.has(`${gateway.model} ${gateway.firmware}`),
  }
}

const labelOf = ({ family }: PlantDevice, key: string): Text =>
  family.alarms.find((alarm) => alarm.key === key)?.label ?? ruleDetector(key)?.label ?? { zh: key, en: key }
