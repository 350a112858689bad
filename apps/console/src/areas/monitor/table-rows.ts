import type { Gateway } from '@linewarden/contract'
import type { LineRef } from '../../plant/equipment.ts'

interface GatewayHead {
  readonly kind: 'gateway'
  readonly gateway: Gateway
  readonly project: string
  readonly behind: readonly LineRef[]
  readonly lines: number
  readonly detectors: number
}

interface Cards {
  readonly kind: 'cards'
  readonly lineRef: readonly LineRef[]
}

/** A row of the table is the line itself: a list of thousands needs no second one around it. */
export type TableRow = GatewayHead | Cards | LineRef

/** More cards beside one another than a wall has room for. A row of other cards is another row, with a height of its own. */
export const maxAcross = 64

/** By gateway, each under its head; of a folded one the head alone. */
export function rowsOf(lines: readonly LineRef[], folded: ReadonlySet<number>, across: number): readonly TableRow[] {
  const byGateway = new Map<Gateway, LineRef[]>()
  for (const each of lines) {
    const list = byGateway.get(each.gateway)
    if (list) list.push(each)
    else byGateway.set(each.gateway, [each])
  }
  const rows: TableRow[] = []
  for (const [gateway, own] of byGateway) {
    const detectors = own.filter(({ family }) => family?.level === 'device').length
    const project = own[0]?.project.Name ?? ''
    rows.push({ kind: 'gateway', gateway, project, behind: own, lines: own.length - detectors, detectors })
    if (!folded.has(gateway.DeviceID)) rows.push(...chunks(own, across))
  }
  return rows
}

/** So many cards to a row; 0: the lines as they are. */
export function chunks(lines: readonly LineRef[], across: number): readonly TableRow[] {
  if (across === 0) return lines
  return Array.from(
    { length: Math.ceil(lines.length / across) },
    (_, index): TableRow => ({
      kind: 'cards',
      lineRef: lines.slice(index * across, (index + 1) * across),
    }),
  )
}

/** Numbers, because thousands of keys are made for every new list: lines count up, gateways count down. */
export function keyOf(row: TableRow | undefined): number {
  if (row === undefined) return 0
  if ('line' in row) return row.line.LineID * maxAcross
  return row.kind === 'gateway' ? -row.gateway.DeviceID : (row.lineRef[0]?.line.LineID ?? 0) * maxAcross + row.lineRef.length
}

export function heightOf(row: TableRow | undefined): number {
  if (row === undefined || 'line' in row) return 28
  return row.kind === 'gateway' ? 32 : 124
}
