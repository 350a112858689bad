import type { Analysis } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { minForShares, sumOfMix, targets, windowMs } from '@linewarden/rules/hazard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { AnalysisAddress } from './address.ts'
import { FigureLink } from './figure-link.tsx'
import { count, duration, percent, seconds, shortDay } from './figures.ts'
import type { Behind } from './links.ts'
import { daysIn } from './links.ts'

type Verdict = Analysis['Rate']['Verdict']

interface Props {
  readonly data: Analysis
  readonly address: AnalysisAddress
}

/** The verdict, before anything else: each figure with its target. Only a target that is missed is tinted. */
export function VerdictStrip({ data, address }: Props) {
  return (
    <section className="verdicts">
      <Windows data={data} />
      <RateTile data={data} address={address} />
      <FloodTile data={data} address={address} />
      <LongTile data={data} address={address} />
      <MixTile data={data} address={address} />
      <ResponseTile data={data} address={address} />
    </section>
  )
}

function Windows({ data }: { data: Analysis }) {
  const { t } = useTranslation('analysis')
  const { Windows: all, None, One, Few, Many } = data.Rate
  const few = data.Total.Announced < minForShares
  return (
    <div className="tile windows">
      <span className="name">{t('windows', { n: count(all) })}</span>
      <dl>
        {(
          [
            ['0', None],
            ['1', One],
            ['2–10', Few],
            ['> 10', Many],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <i style={{ width: `${all === 0 ? 0 : (value / all) * 100}%` }} />
              <span>{few ? count(value) : percent(all === 0 ? null : value / all)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Tile(props: {
  name: string
  verdict: Verdict
  /** What the tile opens, and how much that is; null: its figures open theirs. */
  opens: { readonly address: AnalysisAddress; readonly behind: Behind; readonly n: number } | null
  figure: ReactNode
  unit?: string
  children: ReactNode
  note?: string
}) {
  const { name, verdict, opens, figure, unit, children, note } = props
  const { t } = useTranslation('analysis')
  const inside = (
    <>
      <span className="name">{name}</span>
      <span className="figure">
        <b>{figure}</b> {unit && <small>{unit}</small>}
      </span>
      {children}
      <span className="verdict">
        {verdict === 'missed' ? <Mark kind="warning" /> : verdict === 'met' ? <Icon name="check" /> : null}
        {t(`verdicts.${verdict}`)}
        {note && <small>{note}</small>}
      </span>
    </>
  )
  const className = `tile ${verdict}`
  if (!opens) return <div className={className}>{inside}</div>
  return (
    <FigureLink {...opens} className={className}>
      {inside}
    </FigureLink>
  )
}

const announcedIn = ({ From, To }: Analysis): Behind => ({ counted: 'announced', from: From, to: To })

function RateTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Median, P95, P99, Max, MaxAt, Many, Windows: all, Verdict: verdict } = data.Rate
  const few = data.Total.Announced < minForShares
  const worst: Behind = MaxAt === null ? announcedIn(data) : { counted: 'announced', from: MaxAt, to: MaxAt + windowMs }
  return (
    <Tile
      name={t('rate')}
      verdict={verdict}
      opens={{ address, behind: worst, n: Max }}
      figure={Median}
      unit={t('rateFigures', { p95: P95, p99: P99 })}
    >
      <small>{t('rateMax', { max: Max, target: targets.maxInWindow })}</small>
      <small>
        {t('rateMany', {
          share: few || all === 0 ? count(Many) : percent(Many / all),
          target: percent(targets.windowsAbove, 0),
        })}
      </small>
    </Tile>
  )
}

function FloodTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Count, Ms, Worst, Verdict: verdict } = data.Floods
  const [worst] = Worst
  const opens = worst
    ? { behind: { counted: 'announced', from: worst.From, to: worst.To } as const, n: worst.Announced }
    : { behind: announcedIn(data), n: data.Total.Announced }
  return (
    <Tile
      name={t('floods')}
      verdict={verdict}
      opens={{ address, ...opens }}
      figure={Count}
      unit={Count === 0 ? '' : t('floodFigures', { time: duration(Ms) })}
    >
      <small>{worst ? t('floodWorst', { count: worst.Announced, time: duration(worst.To - worst.From) }) : t('floodNone')}</small>
      <small>
        {t('floodShare', {
          share: percent(data.To > data.From ? Ms / (data.To - data.From) : null),
          target: percent(targets.floodTime, 0),
        })}
      </small>
    </Tile>
  )
}

function LongTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Median, Max, MaxDay, DaysMet, Verdict: verdict } = data.LongActive
  const day = MaxDay ?? data.Days[0]?.Day ?? ''
  return (
    <Tile
      name={t('longActive')}
      verdict={verdict}
      opens={{ address, behind: { counted: 'longActive', days: { from: day, to: day } }, n: Max ?? 0 }}
      figure={Median ?? '–'}
      unit={t('longMedian')}
      note={t('longDays', { met: DaysMet, all: data.Days.length })}
    >
      {MaxDay !== null && <small>{t('longMax', { max: Max ?? 0, day: shortDay(MaxDay) })}</small>}
      <small>{t('longTarget', { target: targets.longActive })}</small>
    </Tile>
  )
}

const mixParts: readonly (readonly Priority[])[] = [['low', 'medium'], ['high'], ['critical']]

/** Each share opens its own. */
function MixTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Counts, Verdict: verdict } = data.Mix
  const all = sumOfMix(Counts)
  const few = all < minForShares
  const parts = mixParts.map((priorities) => ({
    priorities: priorities.filter((each) => address.priorities.length === 0 || address.priorities.includes(each)),
    n: priorities.reduce((sum, each) => sum + Counts[each], 0),
    name: priorities.map((each) => t(`priorities.${each}`)).join(' + '),
  }))
  const [lowMedium = '', high = '', critical = ''] = parts.map(({ n }) => count(n))
  return (
    <Tile
      name={t('mix')}
      verdict={verdict}
      opens={null}
      figure={parts.map(({ priorities, n, name }, i) => (
        <span key={name}>
          {i > 0 && '/'}
          {n === 0 ? (
            0
          ) : (
            <FigureLink address={address} behind={{ ...announcedIn(data), priorities }} n={n} title={`${name}: ${count(n)}`}>
              {few ? count(n) : Math.round((n / all) * 100)}
            </FigureLink>
          )}
        </span>
      ))}
      unit={few ? '' : '%'}
      {...(few && { note: t('few') })}
    >
      <small>{few ? t('mixHint') : t('mixCounts', { lowMedium, high, critical })}</small>
      <small>{few ? t('mixTarget') : `${t('mixHint')} · ${t('mixTarget')}`}</small>
    </Tile>
  )
}

function ResponseTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const known = data.Responses.filter(({ Acknowledged }) => Acknowledged > 0)
  const worst = known.find(({ Verdict: each }) => each === 'missed') ?? known[0]
  const behind: Behind = {
    ...{ counted: 'acknowledged', days: daysIn(data) },
    ...(worst && { priorities: [worst.Priority] }),
  }
  return (
    <Tile
      name={t('response')}
      verdict={worst?.Verdict ?? 'unknown'}
      opens={{ address, behind, n: worst?.Acknowledged ?? 0 }}
      figure={worst ? seconds(worst.MedianS) : '–'}
      unit={worst ? t('responseFigures', { p90: seconds(worst.P90S) }) : ''}
    >
      {known.length === 0 && <small>{t('responseNone')}</small>}
      {known.slice(0, 2).map(({ Priority, P90S, LimitS }) => (
        <small key={Priority}>
          {t('responseOf', { priority: t(`priorities.${Priority}`), p90: seconds(P90S), limit: seconds(LimitS) })}
        </small>
      ))}
    </Tile>
  )
}
