import type { Analysis } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { targets } from '@linewarden/rules/hazard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmTuningPart, lineDrawer, lineSettings } from '../../paths.ts'
import { useSelection } from '../../plant/selection.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Segments } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Place } from '../../ui/place.tsx'
import type { AnalysisAddress } from './address.ts'
import { frequentBy } from './address.ts'
import { FigureLink } from './figure-link.tsx'
import { count, percent } from './figures.ts'
import type { Behind } from './links.ts'
import { daysIn, projectWithin, selectionOf } from './links.ts'
import { Panel } from './panel.tsx'

interface Props {
  readonly data: Analysis
  readonly address: AnalysisAddress
  readonly change: (values: Readonly<Record<string, string>>) => void
}

/** The standards say it of an alarm at its place. */
const hasTarget = ({ by }: AnalysisAddress): boolean => by === 'Places'

interface Row {
  readonly id: string
  readonly title: ReactNode
  readonly below: ReactNode
  readonly figures: { readonly Count: number; readonly Share: number | null; readonly Cumulated: number | null }
  /** What opens the list behind it; null: it is not in the plant any more. */
  readonly behind: Omit<Behind, 'counted'> | null
  readonly act: ReactNode
}

/** A Pareto by rows: long names stay readable, the cumulated share runs down its own track, and each row ends where it is mended. */
export function FrequentPanel({ data, address, change }: Props) {
  const { t } = useTranslation('analysis')
  const rows = useRows(data, address, change)
  const [first] = rows
  const last = rows.at(-1)
  const isKnown = first?.figures.Share !== null && first !== undefined
  return (
    <Panel
      title={t('frequent')}
      hint={
        isKnown
          ? t('frequentShare', { all: percent(last?.figures.Cumulated ?? null), one: percent(first.figures.Share) })
          : first && t('few')
      }
      tools={
        <Segments
          label={t('frequent')}
          value={address.by}
          options={frequentBy.map((value) => ({ value, label: t(`by.${value}`) }))}
          onChange={(by) => change({ by: by === frequentBy[0] ? '' : by })}
        />
      }
    >
      {rows.length === 0 ? (
        <p className="mute">{t('nothingFrequent')}</p>
      ) : (
        <>
          <ol className="pareto">
            {rows.map((row) => (
              <ParetoRow key={row.id} row={row} most={first?.figures.Count ?? 1} address={address} days={daysIn(data)} />
            ))}
          </ol>
          {hasTarget(address) && isKnown && (
            <p className="mute">{t('frequentTarget', { all: percent(targets.topTen, 0), one: percent(targets.single, 0) })}</p>
          )}
        </>
      )}
    </Panel>
  )
}

function ParetoRow({
  row,
  most,
  address,
  days,
}: {
  row: Row
  most: number
  address: AnalysisAddress
  days: NonNullable<Behind['days']>
}) {
  const { t } = useTranslation('analysis')
  const { Count, Share, Cumulated } = row.figures
  const words = <b>{count(Count)}</b>
  return (
    <li>
      <span className="what">
        <span>{row.title}</span>
        <small>{row.below}</small>
      </span>
      <span className="bar">
        <i style={{ width: `${(Count / most) * 100}%` }} />
        {row.behind === null ? (
          words
        ) : (
          <FigureLink address={address} behind={{ counted: 'raised', days, ...row.behind }} n={Count}>
            {words}
          </FigureLink>
        )}
        {Share !== null && <small>{percent(Share)}</small>}
      </span>
      <span className="track" title={t('cumulated')}>
        {Cumulated !== null && (
          <>
            {hasTarget(address) && <i className="target" style={{ left: `${targets.topTen * 100}%` }} />}
            <i className="dot" style={{ left: `${Cumulated * 100}%` }} />
            <small style={Cumulated > 0.7 ? { right: `${(1 - Cumulated) * 100 + 4}%` } : { left: `${Cumulated * 100 + 4}%` }}>
              {percent(Cumulated, 0)}
            </small>
          </>
        )}
      </span>
      <span className="act">{row.act}</span>
    </li>
  )
}

function useRows(data: Analysis, address: AnalysisAddress, change: Props['change']): Row[] {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const placeRow = (each: Analysis['Frequent']['Lines'][number], keys: readonly string[] | undefined) => {
    const at = selectionOf(each)
    return {
      behind: at && { at, here: each.LineID === null, ...(keys && { keys }) },
      act:
        each.HouseID !== null && each.LineID !== null ? (
          <Link to={(keys ? lineSettings : lineDrawer)(each.HouseID, each.LineID)}>{t(keys ? 'settings' : 'openLine')}</Link>
        ) : null,
    }
  }
  const onlyThese = (keys: readonly string[], name: string) => (
    <button type="button" className="link" aria-label={t('onlyThis', { name })} onClick={() => change({ keys: keys.join(',') })}>
      {t('only')}
    </button>
  )
  const { Frequent } = data
  switch (address.by) {
    case 'Places':
      return Frequent.Places.map((each) => ({
        id: `${each.Key} ${each.DeviceID} ${each.ControllerID} ${each.LineID}`,
        title: localised(each.Label),
        below: (
          <>
            <LineTag lineId={each.LineID} /> <Place names={placeNames(each.Where)} between=" › " />
          </>
        ),
        figures: each,
        ...placeRow(each, [each.Key]),
        ...(each.TuneEventID !== null && { act: <Link to={alarmTuningPart(each.TuneEventID)}>{t('tune')}</Link> }),
      }))
    case 'Lines':
      return Frequent.Lines.map((each) => ({
        id: String(each.LineID),
        title: each.Where.LineName ?? '–',
        below: (
          <>
            <LineTag lineId={each.LineID} /> <Place names={placeNames({ ...each.Where, LineName: null })} between=" › " />
          </>
        ),
        figures: each,
        ...placeRow(each, undefined),
      }))
    case 'Keys':
      return Frequent.Keys.map((each) => ({
        id: each.Key,
        title: localised(each.Label),
        below: null,
        figures: each,
        behind: { keys: [each.Key] },
        act: onlyThese([each.Key], localised(each.Label)),
      }))
    case 'Causes':
      return Frequent.Causes.map((each) => ({
        id: each.Cause,
        title: t(`causes.${each.Cause}`),
        below: t('causeKeys', { count: each.Keys.length }),
        figures: each,
        behind: { keys: each.Keys },
        act: onlyThese(each.Keys, t(`causes.${each.Cause}`)),
      }))
    case 'Projects':
      return Frequent.Projects.map((each) => ({
        id: String(each.HouseID),
        title: each.Name,
        below: null,
        figures: each,
        behind: { at: projectWithin(selection, each.HouseID) },
        act: null,
      }))
    case 'Models':
      return Frequent.Models.map((each) => {
        const family = familyOf(each.Family)
        return {
          id: `${each.Family} ${each.Model}`,
          title: each.Model || '–',
          below: family ? localised(family.label) : each.Family,
          figures: each,
          behind: { model: { family: each.Family, model: each.Model } },
          act: null,
        }
      })
  }
}
