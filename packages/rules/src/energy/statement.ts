import { engine1 } from './engine-1.ts'
import type { Engine1Inputs } from './engine-1-types.ts'
import { engine2 } from './engine-2.ts'
import type { Engine2Inputs, Engine2Result, Engine2Row } from './engine-2-types.ts'
import { quarterMs } from './slots.ts'

/** By which a statement is issued. */
export const currentEngine = 2

/** All engines by which statements were issued, by their numbers; each reckons what was frozen for it. */
export const statementEngines: ReadonlyMap<number, (inputs: Engine2Inputs) => Engine2Result> = new Map([
  [1, (inputs: Engine2Inputs) => engine1(inputs as unknown as Engine1Inputs)],
  [2, engine2],
])

/** Statements that leave as one file, and are named in one question, at most. */
export const maxStatementsOfFile = 500
/** Months that one list shows at most. */
export const maxStatementMonths = 12

/** Of a line, and of a supply, at least so many per cent of the quarters and of the energy are known, or somebody issues it and says why. */
export const knownPercent = 99

/** Why a statement is not issued. `byReason`: somebody can issue it with estimates, by name and reason. */
export type StatementProblem =
  /** Not over, or still to be reported. */
  | { readonly problem: 'open' }
  | { readonly problem: 'notSupplied' | 'currencies' | 'noTariff' }
  /** Of these dates, both included, no version prices any. */
  | { readonly problem: 'datesUnpriced'; readonly from: string; readonly to: string }
  | { readonly problem: 'unpriced'; readonly quarters: number }
  | { readonly problem: 'nothingKnown'; readonly lineId: number }
  | {
      readonly problem: 'lineUnknown'
      readonly lineId: number
      /** Of its quarters or of its energy, whichever is less, in whole hundredths of a per cent. */
      readonly known: number
      readonly missing: number
      readonly across: number
      readonly estimated: number
      /** The first stretch that is missing, Unix ms; null: none is. */
      readonly first: { readonly from: number; readonly to: number } | null
    }
  /** No line lacks much, but together they do: what is not known of one line is not billed of any. */
  | { readonly problem: 'supplyUnknown'; readonly quarters: number }
  /** Charged by the largest demand, and a larger one may lie in these. */
  | { readonly problem: 'demandUncertain'; readonly quarters: number }
  | { readonly problem: 'row'; readonly key: string; readonly gap: NonNullable<Engine2Row['gap']> }

/** Whether somebody may issue in spite of it, by name and reason. */
export const isByReason = ({ problem }: StatementProblem): boolean =>
  problem === 'lineUnknown' || problem === 'supplyUnknown' || problem === 'demandUncertain'

/** What is reckoned with does not say all: whether everything was to be reported by now, and in which currencies. */
export interface StatementFacts {
  readonly isOpen: boolean
  readonly currencies: number
  /** The supply has a tariff at all. */
  readonly hasTariff: boolean
  /** Quarters that have energy and no price: what was filled has some, and is billed as little as any other without a price. */
  readonly unpricedQuarters: number
}

/** All that stands against issuing a statement, at once. Asked of the result without estimates. */
export function statementProblems(
  inputs: Engine2Inputs,
  result: Engine2Result,
  { isOpen, currencies, hasTariff, unpricedQuarters }: StatementFacts,
): readonly StatementProblem[] {
  const problems: StatementProblem[] = []
  if (isOpen) problems.push({ problem: 'open' })
  if (inputs.days.length === 0) return [...problems, { problem: 'notSupplied' }]
  if (currencies > 1) problems.push({ problem: 'currencies' })
  if (!hasTariff) problems.push({ problem: 'noTariff' })
  else problems.push(...unpricedDates(inputs), ...unpricedOf(inputs, unpricedQuarters))
  problems.push(...unknownLines(inputs, result))
  const rows = result.parts.flatMap((part) => part.rows)
  const isByMax = result.parts.some(({ version }) => chargesByMax(inputs, version))
  const leftOut = result.max.leftOut
  if (isByMax && result.max.w !== null && leftOut * 100 > (100 - knownPercent) * result.quarters)
    problems.push({ problem: 'demandUncertain', quarters: leftOut })
  const seen = new Set<string>()
  for (const { key, gap } of rows) {
    // What is of rows that are named is not known because of them.
    if (gap === null || gap === 'others' || seen.has(key)) continue
    seen.add(key)
    problems.push({ problem: 'row', key, gap })
  }
  const other = rows.find(({ gap }) => gap !== null)
  if (other && seen.size === 0) problems.push({ problem: 'row', key: other.key, gap: 'others' })
  return problems
}

function unknownLines(inputs: Engine2Inputs, { members, quarters, lackingQuarters }: Engine2Result): readonly StatementProblem[] {
  const problems: StatementProblem[] = []
  for (const [place, member] of members.entries()) {
    const { lineId, missing, across, estimated } = member
    const known = knownOf(member, quarters)
    if (member.known + across + estimated === 0) problems.push({ problem: 'nothingKnown', lineId })
    else if (known < knownPercent * 100)
      problems.push({ problem: 'lineUnknown', lineId, known, missing, across, estimated, first: firstMissing(inputs, place) })
  }
  const lacksMuch = lackingQuarters * 100 > (100 - knownPercent) * quarters
  return lacksMuch && problems.length === 0 ? [{ problem: 'supplyUnknown', quarters: lackingQuarters }] : problems
}

function knownOf({ known, wh, uncertainWh }: Engine2Result['members'][number], quarters: number): number {
  const size = Math.abs(wh)
  const ofEnergy = uncertainWh === 0 ? 10_000 : Math.max(0, Math.floor(((size - uncertainWh) * 10_000) / Math.max(1, size)))
  return Math.min(ofEnergy, Math.floor((known * 10_000) / quarters))
}

function chargesByMax({ versions }: Engine2Inputs, place: number): boolean {
  const sealed = versions[place]?.sealed
  const rule = sealed?.DemandRule ?? null
  return (
    sealed?.Components.some(({ Basis }) => Basis === 'kwDemand') === true && (rule?.Base !== 'declared' || rule.Over !== null)
  )
}

function unpricedDates({ days }: Engine2Inputs): readonly StatementProblem[] {
  const found: { problem: 'datesUnpriced'; from: string; to: string }[] = []
  for (const [place, { date, version }] of days.entries()) {
    if (version !== null) continue
    const last = found.at(-1)
    if (last && days[place - 1]?.date === last.to) last.to = date
    else found.push({ problem: 'datesUnpriced', from: date, to: date })
  }
  return found
}

/** Beyond the dates of which none is priced. */
function unpricedOf({ days }: Engine2Inputs, quarters: number): readonly StatementProblem[] {
  return quarters > 0 && days.every(({ version }) => version !== null) ? [{ problem: 'unpriced', quarters }] : []
}

function firstMissing({ members, start }: Engine2Inputs, place: number) {
  const wh = members[place]?.wh ?? []
  const from = wh.indexOf(null)
  if (from < 0) return null
  const after = wh.findIndex((each, index) => index > from && each !== null)
  return { from: start + from * quarterMs, to: start + (after < 0 ? wh.length : after) * quarterMs }
}

/** The share of a statement's quarters that is known of its least known line, in whole hundredths of a per cent; null: it has none. */
export function knownHundredths({ quarters, members }: Engine2Result): number | null {
  if (quarters === 0 || members.length === 0) return null
  return Math.floor((Math.min(...members.map(({ known }) => known)) * 10_000) / quarters)
}

/** `HD-202610-01`: the project by its own number, where it has one of plain signs, else by ours as `P5`, which no own number is; `nth` from 1 on. */
export function statementNumber(project: { readonly id: number; readonly number: string }, month: string, nth: number): string {
  const name = /^(?!P\d+$)[A-Za-z0-9]{1,16}$/.test(project.number) ? project.number : `P${project.id}`
  return `${name}-${month.replace('-', '')}-${String(nth).padStart(2, '0')}`
}

const digits = [...'零壹贰叁肆伍陆柒捌玖']
const places = ['', '拾', '佰', '仟']
const groups = ['', '万', '亿', '万亿']

/** Renminbi in the capitals that a Chinese document has (人民币大写): 155266.51 is 壹拾伍万伍仟贰佰陆拾陆元伍角壹分. */
export function renminbiInCapitals(fen: bigint): string {
  const size = fen < 0n ? -fen : fen
  const [yuan, rest] = [size / 100n, Number(size % 100n)]
  const [jiao, cents] = [Math.floor(rest / 10), rest % 10]
  const whole = yuan === 0n ? (rest === 0 ? '零元' : '') : `${wholeInCapitals(yuan)}元`
  const between = yuan > 0n && jiao === 0 && cents > 0 ? '零' : ''
  const parts = `${jiao > 0 ? `${digits[jiao]}角` : ''}${between}${cents > 0 ? `${digits[cents]}分` : ''}`
  // 整 stands where nothing follows the yuan or the jiao.
  return `${fen < 0n ? '负' : ''}${whole}${parts}${cents === 0 ? '整' : ''}`
}

function wholeInCapitals(value: bigint): string {
  let text = ''
  const parts: number[] = []
  for (let rest = value; rest > 0n; rest /= 10_000n) parts.push(Number(rest % 10_000n))
  for (let group = parts.length - 1; group >= 0; group--) {
    const part = parts[group] ?? 0
    if (part === 0) continue
    // A nought is spoken once between figures, wherever it stands.
    if (text !== '' && (part < 1_000 || parts[group + 1] === 0)) text += '零'
    text += `${fourInCapitals(part)}${groups[group] ?? ''}`
  }
  return text
}

function fourInCapitals(value: number): string {
  let text = ''
  let isGap = false
  for (let place = 3; place >= 0; place--) {
    const digit = Math.floor(value / 10 ** place) % 10
    if (digit === 0) isGap = text !== ''
    else {
      text += `${isGap ? '零' : ''}${digits[digit]}${places[place]}`
      isGap = false
    }
  }
  return text
}
