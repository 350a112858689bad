import type { TimerFunction } from '@linewarden/rules/automation'
import type { LineRef } from '../../../plant/equipment.ts'
import type { LineTarget } from './form-values.ts'

export const lineKey = ({ ControllerID, LineNo }: LineTarget): string => `${ControllerID}/${LineNo}`
export const targetOf = ({ device, line }: LineRef): LineTarget => ({ ControllerID: device.ControllerID, LineNo: line.LineNo })

/** What a line must be able to do. */
export const canServe = ({ family }: LineRef, purpose: TimerFunction | null): boolean => {
  const actions: readonly string[] = family?.actions.map(({ key }) => key) ?? []
  return purpose === 'selfTest' ? actions.includes('selfTest') : actions.includes('trip') && actions.includes('close')
}
