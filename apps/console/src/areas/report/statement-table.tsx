import type { Project, Statement, StatementRow } from '@linewarden/contract'
import { cosText, kiloText, moneyText, shareText, wholeKwh } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { chosenOf, TriCheck } from '../../ui/tri-check.tsx'
import { nameOf, unitOf } from '../energy/tariff-values.ts'
import { StatementProblems } from './statement-problems.tsx'
import type { ShownRow } from './statement-values.ts'
import { bandsIn, figuresOf, signed, sumsOf } from './statement-values.ts'

interface Chosen {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** Months as groups with their sums, and below each its supplies. */
export function StatementTable({ house, rows, chosen, onChoose }: { house: Project; rows: readonly ShownRow[] } & Chosen) {
  const { t, i18n } = useTranslation('statements')
  const bands = bandsIn(rows)
  const keys = rows.map(({ key }) => key)
  const currency = rows.map((row) => figuresOf(row)?.currency ?? null).find((each) => each !== null)
  const unit = currency ? unitOf(currency, i18n.language) : ''
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="list-scroll" tabIndex={0}>
      <table className="list-table statement-table">
        <caption className="hidden-visually">{t('table')}</caption>
        <thead>
          <tr>
            <th className="check">
              <TriCheck chosen={chosenOf(keys, chosen)} onChange={(all) => onChoose(all ? new Set(keys) : new Set())}>
                <span className="hidden-visually">{t('selectAll')}</span>
              </TriCheck>
            </th>
            <th scope="col">{t('supply')}</th>
            <th scope="col">{t('state')}</th>
            <th scope="col">{t('number')}</th>
            {[t('kwh'), ...bands.map(nameOf), t('demand'), t('cos'), t('money', { unit }), t('complete')].map((head) => (
              <th scope="col" className="end" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {[...Map.groupBy(rows, ({ row }) => row.Month)].map(([month, own]) => (
          <tbody key={month}>
            <MonthRow month={month} rows={own} bands={bands} />
            {own.map((each) => (
              <Rows key={each.key} {...{ house, shown: each, bands, chosen, onChoose }} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function MonthRow({ month, rows, bands }: { month: string; rows: readonly ShownRow[]; bands: readonly string[] }) {
  const { t } = useTranslation('statements')
  const sums = sumsOf(rows)
  const isRunning = rows.some(({ row }) => !row.IsOver)
  const count = new Set(rows.map(({ row }) => row.SupplyID)).size
  return (
    <tr className="statement-month">
      <td className="check" />
      <th scope="rowgroup" colSpan={3}>
        <b>{month}</b> <span className="mute">{isRunning ? t('running') : t('supplies', { count })}</span>
      </th>
      <td className="end" data-label={t('kwh')}>
        <b>{wholeKwh(sums.wh)}</b>
      </td>
      {bands.map((key) => (
        <td className="end band" key={key} data-label={nameOf(key)}>
          {sums.wh === null ? '–' : wholeKwh(sums.bands.get(key) ?? 0)}
        </td>
      ))}
      <td />
      <td />
      <td className="end" data-label={t('feeShort')}>
        <b>
          {sums.fee !== null && !sums.isIssued && '≈ '}
          {moneyText(sums.fee)}
        </b>
      </td>
      <td />
    </tr>
  )
}

type RowProps = { house: Project; shown: ShownRow; bands: readonly string[] } & Chosen

function Rows({ house, shown, bands, chosen, onChoose }: RowProps) {
  const { t } = useTranslation('statements')
  const { key, row, draft, draftState } = shown
  const figures = figuresOf(shown)
  const isEnded = row.State === 'replaced' || row.State === 'void'
  const isOver = row.IsOver && draft !== null && draft.Problems.length > 0
  const toggle = () => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose(next)
  }
  // Of a period that is not over most is still to come, and lacks nothing.
  const known = row.IsOver ? (figures?.known ?? null) : null
  const isLow = known !== null && known < 9_900
  const money = draftState === 'loading' ? '…' : moneyText(figures?.total ?? null)
  return (
    <>
      <tr className={[isEnded ? 'ended' : '', chosen.has(key) ? 'chosen' : ''].join(' ')}>
        <td className="check">
          <input
            type="checkbox"
            aria-label={t('select', { name: `${row.Supply} ${row.Month}` })}
            checked={chosen.has(key)}
            onChange={toggle}
          />
        </td>
        <th scope="row">
          {row.Supply} <small>{row.AccountNo}</small>
          {!row.From.endsWith('-01') && <small className="statement-dates">{t('dates', { from: row.From, to: row.To })}</small>}
        </th>
        <td className="state-cell">
          <State state={row.State} />
        </td>
        <td className="number-cell">
          <NumberCell shown={shown} />
        </td>
        <td className="end" data-label={t('kwh')}>
          <b>{wholeKwh(figures?.wh ?? null)}</b>
        </td>
        {bands.map((each) => (
          <td className="end band" key={each} data-label={nameOf(each)}>
            {figures?.wh == null ? '–' : wholeKwh(figures.bands.find(({ Key }) => Key === each)?.Wh ?? 0)}
          </td>
        ))}
        <td className="end" data-label={t('demand')}>
          {kiloText(figures?.maxW ?? null)}
        </td>
        <td className="end" data-label={t('cos')}>
          {cosText(figures?.cos ?? null)}
        </td>
        <td className="end" data-label={t('feeShort')}>
          {draft && draft.Total !== null && <span className="mute">≈ </span>}
          <b>{isEnded ? <s>{money}</s> : money}</b>
        </td>
        <td className="end" data-label={t('complete')}>
          {isLow ? (
            <span className="statement-low">
              <Mark kind="warning" />
              {shareText(known)}
            </span>
          ) : (
            shareText(known)
          )}
        </td>
      </tr>
      {isOver && <AgainstRow house={house} row={row} problems={draft.Problems} span={bands.length + 8} />}
    </>
  )
}

const stateIcons = { draft: 'edit', issued: 'check', replaced: 'close', void: 'close' } as const

/** A shape and a word, ink only. */
function State({ state }: { state: StatementRow['State'] }) {
  const { t } = useTranslation('statements')
  return (
    <span className={`statement-state ${state}`}>
      <Icon name={stateIcons[state]} />
      {t(`states.${state}`)}
    </span>
  )
}

function NumberCell({ shown: { row, draft, draftState } }: { shown: ShownRow }) {
  const { t } = useTranslation('statements')
  const { Issued } = row
  const open = useOpen()
  if (!Issued) {
    const count = draft?.Problems.length ?? 0
    const word = !row.IsOver
      ? t('notOver')
      : draftState === 'loading'
        ? t('loading')
        : draftState === 'failed'
          ? t('failed')
          : count > 0
            ? t('lacks', { count })
            : t('ready')
    return <Link to={open({ draft: `${row.SupplyID}.${row.Month}` })}>{word}</Link>
  }
  const late = Issued.LateWh
  return (
    <>
      <Link to={open({ statement: String(Issued.StatementID) })}>{Issued.Number}</Link>
      {Issued.IsEstimated && <small> {t('isEstimated')}</small>}
      {Issued.Successor !== null && <small> {t('by', { number: Issued.Successor })}</small>}
      {Issued.Replaces !== null && <small> {t('corrects', { number: Issued.Replaces })}</small>}
      {late !== null && (
        <small className="statement-late">
          {' '}
          {late > 0 ? t('late', { kwh: signed(wholeKwh(late)) }) : t('lateLess', { kwh: wholeKwh(-late) })}
        </small>
      )}
    </>
  )
}

/** The address of this page with something open. */
export function useOpen(): (values: Readonly<Record<string, string>>) => string {
  const [address] = useSearchParams()
  return (values) => {
    const next = new URLSearchParams(address)
    for (const name of ['statement', 'draft', 'verify']) next.delete(name)
    for (const [name, value] of Object.entries(values)) next.set(name, value)
    return `?${next}`
  }
}

/** Where something can be done about a problem. */
const partOf: Readonly<Record<string, 'supplies' | 'tariffs'>> = {
  ...{ noTariff: 'supplies', notSupplied: 'supplies', nothingKnown: 'supplies', currencies: 'supplies', row: 'supplies' },
  ...{ datesUnpriced: 'tariffs', unpriced: 'tariffs' },
}

const toPart = { supplies: 'toSupplies', tariffs: 'toTariffs', cost: 'toPowerFactor' } as const

/** Where the power factor of a period is typed: the 28th lies in each period that begins in its month. */
const costOf = ({ SupplyID, Month }: StatementRow): string => `tab=cost&supply=${SupplyID}&unit=day&day=${Month}-28`

function AgainstRow(props: { house: Project; row: StatementRow; problems: Statement['Problems']; span: number }) {
  const { house, row, problems, span } = props
  const { t } = useTranslation('statements')
  return (
    <tr className="statement-against">
      <td className="check" />
      <td colSpan={span}>
        <b>{t('against', { count: problems.length })}</b>
        <StatementProblems label={`${row.Supply} ${row.Month}`} problems={problems}>
          {({ Kind, Gap }) => {
            const part = Gap === 'powerFactor' ? 'cost' : partOf[Kind]
            return (
              part && (
                <Link
                  to={`${paths.energy}?at=house:${house.HouseID}&${part === 'cost' ? costOf(row) : `tab=settings&part=${part}`}`}
                >
                  {t(toPart[part])}
                </Link>
              )
            )
          }}
        </StatementProblems>
        {problems.every(({ ByReason }) => ByReason) && <span className="mute">{t('byReason')}</span>}
      </td>
    </tr>
  )
}
