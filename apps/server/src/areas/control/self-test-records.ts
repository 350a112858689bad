import type { Certificate, SelfTestRecord } from '@linewarden/contract'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredSelfTest, selfTestWithProof } from '../../store/control/self-test.ts'

const standard = 'IEC 61009-1 / GB/T 16917.1'

export const testRecord = (test: StoredSelfTest): SelfTestRecord => ({
  CommandID: test.commandId,
  At: test.at,
  Actor: test.actor,
  Result: test.result,
  TripMs: test.tripMs,
  LimitMs: test.limitMs,
  ResidualMa: test.residualMa,
  Model: test.model,
})

/** What a test measured, with its entry of the log as the proof. */
export function certificateOf(line: PlantLine, found: NonNullable<Awaited<ReturnType<typeof selfTestWithProof>>>): Certificate {
  const { gateway } = line.device
  return {
    Number: `LW-ST-${found.auditId.padStart(8, '0')}`,
    Hash: found.hash,
    Test: testRecord(found.test),
    LineName: line.name,
    ControllerID: line.device.controllerId,
    LineNo: line.lineNo,
    DeviceName: line.device.name,
    GatewayName: gateway.name,
    GatewayNumber: gateway.number,
    HouseName: gateway.project.name,
    TimeZone: gateway.project.timeZone,
    RatedCurrentA: line.ratedCurrentA,
    Reason: found.reason,
    Standard: standard,
  }
}
