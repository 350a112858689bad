import type { Problem, Statement } from '@linewarden/contract'
import { statementProblemText } from '@linewarden/contract'
import type { CivilZone } from '@linewarden/rules/automation'
import { dateText } from '@linewarden/rules/automation'
import type { Engine2Result, StatementProblem } from '@linewarden/rules/energy'
import { currentEngine, isByReason, knownHundredths } from '@linewarden/rules/energy'
import type { StatementName, StatementRow } from '../../store/energy/statement.ts'
import type { Snapshot } from './statement-freeze.ts'
import type { StatementInputs } from './statement-inputs.ts'

type OfDraft = Pick<
  Statement,
  'StatementID' | 'Number' | 'State' | 'Engine' | 'Sha256' | 'IssuedAt' | 'Issuer' | 'Estimates' | 'Replaces' | 'Successor'
> &
  Pick<Statement, 'Ended' | 'Problems' | 'Late'>

const notIssued: OfDraft = {
  ...{ StatementID: null, Number: null, State: 'draft', Engine: currentEngine, Sha256: null, IssuedAt: null, Issuer: null },
  ...{ Estimates: null, Replaces: null, Successor: null, Ended: null, Problems: [], Late: null },
}

/** What would be issued, and what stands against it. */
export const draftRecord = (inputs: StatementInputs, result: Engine2Result, Problems: Statement['Problems']): Statement => ({
  ...notIssued,
  ...contents(inputs, result),
  Problems,
})

interface Beside {
  readonly corrected: StatementName | null
  readonly successor: StatementName | null
  readonly late: Statement['Late']
  /** Guests see what is billed, and nobody. */
  readonly isNamed: boolean
}

/** A statement as it was issued. */
export function statementRecord(row: StatementRow, { corrected, successor, late, isNamed }: Beside): Statement {
  const { issuer, estimates, inputs, result }: Snapshot = JSON.parse(row.canonical)
  const named = (name: string) => (isNamed ? name : null)
  const nameOf = (each: StatementName | null) => each && { StatementID: each.statement_id, Number: each.number }
  return {
    ...notIssued,
    ...contents(inputs, result),
    ...{ StatementID: row.statement_id, Number: row.number, State: row.state, Engine: row.engine, Sha256: row.sha256 },
    ...{ IssuedAt: row.issued_at.getTime(), Issuer: named(issuer), Late: late },
    Estimates: estimates && { Reason: estimates.reason, Issuer: named(estimates.issuer) },
    ...{ Replaces: nameOf(corrected), Successor: nameOf(successor) },
    Ended: row.ended_at && {
      ...{ At: row.ended_at.getTime(), Name: named(row.ended_name ?? ''), Reason: row.ended_reason ?? '' },
    },
  }
}

function contents(inputs: StatementInputs, result: Engine2Result): Omit<Statement, keyof OfDraft> {
  const { supply, project, period } = inputs
  return {
    ...{ SupplyID: supply.id, Project: project.name, Supply: supply.name, AccountNo: supply.accountNo },
    ...{ Zone: inputs.zone, Currency: inputs.currency, Month: inputs.month, From: period.from, To: period.to },
    ...{ Quarters: result.quarters, CapacityVa: inputs.capacityVa, DeclaredW: inputs.declaredW },
    PowerFactorStandard: inputs.powerFactorStandard as Statement['PowerFactorStandard'],
    ...{ CosHundredths: inputs.cosHundredths, Members: membersOf(inputs, result), Parts: partsOf(inputs, result) },
    ...{ Wh: result.wh, BilledWh: result.billedWh, LackingQuarters: result.lackingQuarters },
    Max: { W: result.max.w, At: result.max.at, LeftOut: result.max.leftOut },
    ...{ Total: result.total, KnownHundredths: knownHundredths(result), ByWeekday: inputs.byWeekday },
  }
}

const bandsOf = (bands: readonly { readonly band: string; readonly wh: number }[]) =>
  bands.map(({ band, wh }) => ({ Key: band, Wh: wh }))

const membersOf = (inputs: StatementInputs, result: Engine2Result): Statement['Members'] =>
  result.members.map((own, place) => {
    const frozen = inputs.members[place]
    return {
      ...{ LineID: own.lineId, Sign: frozen?.sign === -1 ? -1 : 1, Name: frozen?.line ?? null, Place: frozen?.place ?? null },
      ...{ Multiplier: frozen?.multiplier ?? 1, Opening: frozen?.opening ?? null, Closing: frozen?.closing ?? null },
      Meters: (frozen?.meters ?? []).map((meter) => ({
        ...{ Serial: meter.serial, Multiplier: meter.multiplier, From: meter.from, To: meter.to },
        ...{ Opening: meter.opening, Closing: meter.closing, Wh: meter.wh },
      })),
      ...{ Agrees: own.agrees, Wh: own.wh, Bands: bandsOf(own.bands), Known: own.known, Measured: own.measured },
      ...{ Spread: own.spread, Across: own.across, Estimated: own.estimated, Entered: own.entered },
      ...{ Missing: own.missing, Filled: own.filled },
    }
  })

const partsOf = (inputs: StatementInputs, result: Engine2Result): Statement['Parts'] =>
  result.parts.map(({ version, from, to, bands, rows }) => {
    const frozen = inputs.versions[version]
    return {
      ...{ Tariff: frozen?.tariff ?? '', Number: frozen?.number ?? 0, Source: frozen?.sealed.Source ?? '' },
      ...{ ValidFrom: frozen?.sealed.From ?? '', Sha256: frozen?.sha256 ?? null, From: from, To: to, Bands: bandsOf(bands) },
      Rows: rows.map((row) => ({
        ...{ Key: row.key, Band: row.band, Unit: row.unit, Quantity: row.quantity, Price: row.price },
        Share: row.share ? { Days: row.share.days, Of: row.share.of } : null,
        ...{ PricePercent: row.pricePercent, Amount: row.amount, Gap: row.gap },
        ...{ InPowerFactorBase: row.inPowerFactorBase, Estimated: row.estimated },
      })),
    }
  })

/** What stands against issuing, as a person reads it. */
export function problemRecords(
  inputs: StatementInputs,
  zone: CivilZone,
  problems: readonly StatementProblem[],
): Statement['Problems'] {
  const names = {
    lineOf: (lineId: number) => inputs.members.find((each) => each.lineId === lineId)?.line ?? String(lineId),
    clockOf: (at: number) => clockText(zone, at),
  }
  return problems.map((problem) => ({
    ...{ Kind: problem.problem, Text: statementProblemText(problem, names), ByReason: isByReason(problem) },
    Gap: problem.problem === 'row' ? problem.gap : null,
  }))
}

export const problemsOfRefusal = (problems: Statement['Problems']): Problem[] =>
  problems.map(({ Text }) => ({ Path: 'body.Month', Text }))

function clockText(zone: CivilZone, at: number): string {
  const minutes = Math.floor((zone.wallAt(at) / 60_000) % 1_440)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dateText(zone.dayAt(at)).slice(5)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
