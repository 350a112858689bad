import type { Project } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import { monthStart } from '@linewarden/rules/energy'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { nameOf, stepOf } from '../energy/tariff-values.ts'
import { StatementBar } from './statement-bar.tsx'
import { StatementStrip } from './statement-strip.tsx'
import { StatementTable } from './statement-table.tsx'
import type { ShownRow } from './statement-values.ts'
import { bandsIn, monthBeside, monthText } from './statement-values.ts'
import type { StateFilter } from './use-statements.ts'
import { rowsOfPage, stateFilters, useStatements } from './use-statements.ts'

/** Supplies by months with their statements, and what can be done with those that are chosen. */
export function StatementList({ house }: { house: Project }) {
  const { t } = useTranslation('statements')
  const list = useStatements(house)
  const { query, rows, months, state, page, today, go } = list
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { data } = query
  const shown = rows.filter(({ key }) => chosen.has(key))
  return (
    <Page
      title={t('title')}
      crumb={data ? t('crumb', { house: house.Name, count: data.about.Supplies }) : house.Name}
      tools={<Months {...{ months, today, go }} />}
    >
      {!data && <Unloaded query={query} />}
      {data && (
        <div className="list-body" aria-busy={query.isPlaceholderData}>
          <StatementStrip rows={rows} about={data.about} months={months} />
          <Filters counts={data.about.Counts} rows={rows} state={state} go={go} />
          <Unloaded query={query} />
          {rows.length === 0 ? (
            <Nothing house={house} isFiltered={state !== null} onAll={() => go({ state: null })} />
          ) : (
            <StatementTable house={house} rows={rows} chosen={chosen} onChoose={setChosen} />
          )}
          {data.total > rowsOfPage && <Pages page={page} total={data.total} go={go} />}
          <StatementBar house={house} rows={shown} onClear={() => setChosen(new Set())} />
          <p className="list-foot">
            <span>{t('foot')}</span>
            <span className="grow" />
            <span>{t('zone', { zone: data.about.Zone })}</span>
          </p>
        </div>
      )}
    </Page>
  )
}

type Go = ReturnType<typeof useStatements>['go']

function Months({ months, today, go }: { months: { readonly from: string; readonly to: string }; today: number; go: Go }) {
  const { t } = useTranslation('statements')
  const isLast = (parseDate(`${months.to}-01`) ?? 0) >= monthStart(today)
  const later = monthBeside(months.to, 4)
  const place = useId()
  return (
    <span className="statement-months" role="group" aria-label={t('months')}>
      <button
        type="button"
        className="btn quiet"
        aria-label={t('earlier')}
        onClick={() => go({ month: monthBeside(months.to, -4) })}
      >
        <Icon name="left" />
      </button>
      <b id={place}>
        {months.from} – {months.to}
      </b>
      <button
        type="button"
        className="btn quiet"
        aria-label={t('later')}
        aria-describedby={place}
        disabled={isLast}
        onClick={() => go({ month: later >= monthText(today) ? null : later })}
      >
        <Icon name="right" />
      </button>
    </span>
  )
}

const filterWords = {
  draft: 'drafts',
  issued: 'issuedOnes',
  replaced: 'replacedOnes',
  void: 'voidOnes',
  late: 'lateOnes',
} as const

function Filters(props: {
  counts: Readonly<Record<StateFilter, number>>
  rows: readonly ShownRow[]
  state: StateFilter | null
  go: Go
}) {
  const { counts, rows, state, go } = props
  const { t } = useTranslation('statements')
  const bands = bandsIn(rows)
  const all = counts.draft + counts.issued + counts.replaced + counts.void
  return (
    <div className="list-bar">
      <span className="choices">
        <button type="button" className="chip" aria-pressed={state === null} onClick={() => go({ state: null })}>
          {t('all', { count: all })}
        </button>
        {stateFilters
          .filter((each) => counts[each] > 0 || each === state)
          .map((each) => (
            <button type="button" className="chip" key={each} aria-pressed={state === each} onClick={() => go({ state: each })}>
              {t(filterWords[each], { count: counts[each] })}
            </button>
          ))}
      </span>
      <span className="grow" />
      <span className="statement-keys" aria-hidden="true">
        {bands.map((key, band) => (
          <span key={key}>
            <i className={`tariff-swatch tariff-step-${stepOf(bands, band)}`} />
            {nameOf(key)}
          </span>
        ))}
      </span>
    </div>
  )
}

function Nothing({ house, isFiltered, onAll }: { house: Project; isFiltered: boolean; onAll: () => void }) {
  const { t } = useTranslation('statements')
  const navigate = useNavigate()
  if (isFiltered) return <Empty title={t('noneOfState')} action={{ label: t('showAll'), run: onAll }} />
  const open = () => void navigate(`${paths.energy}?at=house:${house.HouseID}&tab=settings&part=supplies`)
  return <Empty title={t('noSupplies')} hint={t('noSuppliesHint')} action={{ label: t('toSupplies'), run: open }} />
}

function Pages({ page, total, go }: { page: number; total: number; go: Go }) {
  const { t } = useTranslation('app')
  const last = Math.max(1, Math.ceil(total / rowsOfPage))
  const to = (next: number) => go({ page: next === 1 ? null : String(next) })
  return (
    <nav className="pages" aria-label={t('pages')}>
      <span>{t('total', { count: total })}</span>
      <span className="grow" />
      <button
        type="button"
        className="btn small"
        aria-label={t('previousPage')}
        disabled={page <= 1}
        onClick={() => to(page - 1)}
      >
        <Icon name="left" />
      </button>
      <span>{t('pageOf', { page, last })}</span>
      <button type="button" className="btn small" aria-label={t('nextPage')} disabled={page >= last} onClick={() => to(page + 1)}>
        <Icon name="right" />
      </button>
    </nav>
  )
}
