import type { Plant } from '../../plant/plant.ts'

/** The lines that a filter names: one, or all of a device. Undefined: it names none. */
export function lineIdsOf(
  plant: Pick<Plant, 'deviceByControllerId'>,
  { ControllerID, LineNo }: { readonly ControllerID?: string; readonly LineNo?: number },
): readonly number[] | undefined {
  if (ControllerID === undefined) return undefined
  const device = plant.deviceByControllerId.get(ControllerID)
  return [...(device?.lines.values() ?? [])].flatMap(({ id, lineNo }) => (LineNo === undefined || lineNo === LineNo ? id : []))
}
