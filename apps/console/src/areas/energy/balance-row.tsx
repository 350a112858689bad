import type { BalanceLine } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { BalanceCauses } from './balance-causes.tsx'
import type { BalanceRow } from './balance-rows.ts'
import { restShare, shareText } from './balance-rows.ts'
import { shownKwh } from './figures.ts'

interface Props<R extends BalanceRow = BalanceRow> {
  readonly row: R
  readonly isOpen: boolean
  /** By which it is seen how finely energy is shown, Wh. */
  readonly largest: number
  /** Dates of the period that have begun. */
  readonly days: number
  readonly houseId: number
  readonly onOpen: (lineId: number) => void
  readonly onTurn: (lineId: number) => void
}

const indent = (depth: number) => ({ paddingInlineStart: `calc(12px + ${depth} * var(--step))` })

export function BalanceRowCells(props: Props) {
  const { row } = props
  const { t } = useTranslation('energyBalance')
  if (row.kind === 'feeder') return <FeederRow {...props} row={row} />
  if (row.kind === 'line') return <LineRow {...props} row={row} />
  return (
    <tr className="balance-leaf">
      <td colSpan={8} style={indent(row.depth)} className="mute">
        {t('more', { count: row.feeder.More })}
      </td>
    </tr>
  )
}

function LineRow({ row: { child, feeder, depth }, largest, onOpen }: Props<Extract<BalanceRow, { kind: 'line' }>>) {
  const { t } = useTranslation('energyBalance')
  const isWhole = feeder.More === 0 && feeder.Why !== 'unseen'
  const suspected = feeder.Causes.find(({ LineID }) => LineID === child.LineID)
  const shown = shownKwh(feeder.Children, isWhole ? feeder.ChildrenWh : null, largest)
  return (
    <tr className="balance-leaf">
      <th scope="row" style={indent(depth)}>
        <span className="balance-name">
          <i className="balance-turn" />
          <button type="button" className="text-link" onClick={() => onOpen(child.LineID)}>
            {child.Name}
          </button>
          {child.GatewayName !== feeder.GatewayName && <small className="mute">{child.GatewayName}</small>}
        </span>
      </th>
      <td className="num" data-label={t('used')}>
        {shown.bars[feeder.Children.indexOf(child)]}
      </td>
      <td className="num empty" />
      <td className="num empty" />
      <td className="num empty" />
      <td className="num empty" />
      <td className="gauge empty" />
      <td className={child.Whole && child.LackingS === 0 && !suspected ? 'empty' : 'verdict'}>
        {suspected && <span className="balance-suspect">{t('suspect', { cause: t(`causeOf.${suspected.Cause}`) })}</span>}
        {!child.Whole && <span className="balance-note">{t('partDays')}</span>}
        {child.LackingS > 0 && <span className="balance-note">{t('childLacks', { time: span(child.LackingS * 1_000) })}</span>}
      </td>
    </tr>
  )
}

function FeederRow(props: Props<Extract<BalanceRow, { kind: 'feeder' }>>) {
  const { row, isOpen, largest, days, houseId, onOpen, onTurn } = props
  const { line, depth } = row
  const { t } = useTranslation('energyBalance')
  const { LineID, Name, Wh, ChildrenWh, RestWh, ErrorWh, Verdict, Compared } = line
  const shown = shownKwh([{ Wh: ChildrenWh }, { Wh: RestWh }], Wh, largest)
  const count = line.Children.length + line.More
  const beyond = Verdict === 'partsAboveWhole' || Verdict === 'unmetered'
  return (
    <>
      <tr className={`balance-feeder ${Verdict}`}>
        <th scope="row" style={indent(depth)}>
          <span className="balance-name">
            <button
              type="button"
              className="balance-turn"
              aria-expanded={isOpen}
              aria-label={t(isOpen ? 'close' : 'open', { name: Name })}
              onClick={() => onTurn(LineID)}
            >
              <Icon name={isOpen ? 'down' : 'right'} />
            </button>
            <button type="button" className="text-link" onClick={() => onOpen(LineID)}>
              {Name}
            </button>
            <small className="mute">{t('nLines', { count })}</small>
          </span>
          {depth === 0 && line.FeederUnseen && <small className="balance-note mute">{t('feederUnseen')}</small>}
        </th>
        <td className="num strong" data-label={t('used')}>
          {shown.total}
        </td>
        <td className="num" data-label={t('parts')}>
          {shown.bars[0]}
        </td>
        <td className={beyond ? 'num strong' : 'num'} data-label={t('restKwh')}>
          {Verdict === 'partsAboveWhole' ? <span className="balance-above warning">{shown.bars[1]}</span> : shown.bars[1]}
        </td>
        <td className="num" data-label={t('restShare')}>
          {shareText(restShare(line))}
          {Compared && <small className="balance-note mute">{t('before', { share: shareText(restShare(Compared)) })}</small>}
        </td>
        <td className="num mute" data-label={t('error')}>
          {ErrorWh === null ? '–' : `±${shown.of(ErrorWh)}`}
        </td>
        <td className="gauge">
          <Gauge line={line} />
        </td>
        <td className="verdict">
          <VerdictWords line={line} shown={shown} days={days} />
        </td>
      </tr>
      {isOpen && beyond && line.Tried > 0 && (
        <BalanceCauses line={line} shown={shown} indent={indent(depth + 1)} houseId={houseId} />
      )}
    </>
  )
}

type Shown = ReturnType<typeof shownKwh>

function VerdictWords({ line, shown, days }: { line: BalanceLine; shown: Shown; days: number }) {
  const { t } = useTranslation('energyBalance')
  const { Verdict, Why, LeftOutS, ComparedS, Uncertain } = line
  return (
    <>
      {Verdict === 'partsAboveWhole' ? (
        <span className="balance-above warning">
          <Mark kind="warning" />
          {t(Verdict)}
        </span>
      ) : (
        <span className={Verdict === 'unmetered' ? undefined : 'mute'}>{t(Verdict)}</span>
      )}
      {Why && <span className="balance-note">{t(Why)}</span>}
      {line.Days < days && <span className="balance-note">{t('days', { count: line.Days })}</span>}
      {LeftOutS > 0 && ComparedS > 0 && <span className="balance-note">{t('leftOut', { time: span(LeftOutS * 1_000) })}</span>}
      {Uncertain > 0 && <span className="balance-note">{t('uncertain', { kwh: shown.of(Uncertain) })}</span>}
    </>
  )
}

/** How far the scale goes to either side. */
const scale = 0.3

/** The rest on a scale that all share: the error as a band, the rest as a bar that is cut where the scale ends. */
function Gauge({ line }: { line: BalanceLine }) {
  const { Wh, RestWh, ErrorWh, Verdict } = line
  const share = restShare(line)
  if (Wh === null || RestWh === null || ErrorWh === null || share === null) return <span className="balance-gauge" />
  const percent = (value: number) => (Math.min(scale, Math.abs(value)) / scale) * 50
  const [error, rest] = [percent(ErrorWh / Wh), percent(share)]
  return (
    <span className="balance-gauge" aria-hidden="true">
      <i className="error" style={{ left: `${50 - error}%`, width: `${2 * error}%` }} />
      <i className={`rest ${Verdict}`} style={{ left: `${share < 0 ? 50 - rest : 50}%`, width: `${rest}%` }} />
      <i className="nought" />
    </span>
  )
}
