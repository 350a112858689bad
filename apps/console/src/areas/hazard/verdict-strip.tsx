import type { Analysis } from '@linewarden/contract'
import { minForShares, sumOfMix, targets } from '@linewarden/rules/hazard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSelection } from '../../plant/selection.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { AnalysisAddress } from './address.ts'
import { count, duration, percent, seconds, shortDay } from './figures.ts'
import { listBehind } from './links.ts'

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
  to: string
  figure: ReactNode
  unit?: string
  children: ReactNode
  note?: string
}) {
  const { name, verdict, to, figure, unit, children, note } = props
  const { t } = useTranslation('analysis')
  return (
    <Link className={`tile ${verdict}`} to={to}>
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
    </Link>
  )
}

function useList({ data, address }: Props) {
  const [selection] = useSelection()
  return (behind: Parameters<typeof listBehind>[2] = {}) =>
    listBehind(address, selection, { from: data.From, to: data.To, ...behind })
}

function RateTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Median, P95, P99, Max, Many, Windows: all, Verdict: verdict } = data.Rate
  const [worst] = data.Floods.Worst
  const list = useList({ data, address })
  const few = data.Total.Announced < minForShares
  return (
    <Tile
      name={t('rate')}
      verdict={verdict}
      to={list(worst ? { from: worst.From, to: worst.To } : {})}
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
  const list = useList({ data, address })
  return (
    <Tile
      name={t('floods')}
      verdict={verdict}
      to={list(worst ? { from: worst.From, to: worst.To } : {})}
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
  const list = useList({ data, address })
  return (
    <Tile
      name={t('longActive')}
      verdict={verdict}
      to={list({ open: true, from: 0, to: Math.max(0, data.To - 86_400_000) })}
      figure={Median ?? '–'}
      unit={t('longMedian')}
      note={t('longDays', { met: DaysMet, all: data.Days.length })}
    >
      {MaxDay !== null && <small>{t('longMax', { max: Max ?? 0, day: shortDay(MaxDay) })}</small>}
      <small>{t('longTarget', { target: targets.longActive })}</small>
    </Tile>
  )
}

function MixTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Counts, Verdict: verdict } = data.Mix
  const all = sumOfMix(Counts)
  const lowMedium = Counts.low + Counts.medium
  const shares = [lowMedium, Counts.high, Counts.critical]
  const few = all < minForShares
  const list = useList({ data, address })
  return (
    <Tile
      name={t('mix')}
      verdict={verdict}
      to={list({ priorities: ['critical'] })}
      figure={shares.map((each) => (few ? count(each) : Math.round((each / all) * 100))).join('/')}
      unit={few ? '' : '%'}
      {...(few && { note: t('few') })}
    >
      <small>
        {few
          ? t('mixHint')
          : t('mixCounts', { lowMedium: count(lowMedium), high: count(Counts.high), critical: count(Counts.critical) })}
      </small>
      <small>{few ? t('mixTarget') : `${t('mixHint')} · ${t('mixTarget')}`}</small>
    </Tile>
  )
}

function ResponseTile({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const known = data.Responses.filter(({ Acknowledged }) => Acknowledged > 0)
  const worst = known.find(({ Verdict: each }) => each === 'missed') ?? known[0]
  const list = useList({ data, address })
  return (
    <Tile
      name={t('response')}
      verdict={worst?.Verdict ?? 'unknown'}
      to={list(worst ? { priorities: [worst.Priority] } : {})}
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
