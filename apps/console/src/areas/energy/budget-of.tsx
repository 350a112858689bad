import type { Budget, BudgetCourse, Project, Supply } from '@linewarden/contract'
import { getBudgetCourse, listBudgets, listSupplies, listTariffs, saveBudget, zoneClock } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { Empty } from '../../ui/body-state.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { span } from '../../ui/format.ts'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { momentText } from '../../ui/moment-text.ts'
import { Page } from '../../ui/page.tsx'
import { BudgetChart } from './budget-chart.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { energyBudget } from './budget-texts.ts'
import { valueText, valueUnit } from './budget-values.ts'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { everyMs } from './period.ts'
import './budget.css'

addTexts({ energyBudget })

/** What a project and its supplies are meant to use or to cost, and what they have come to. */
export function BudgetOf({ house }: { house: Project }) {
  const { t } = useTranslation(['energyBudget', 'energy'])
  const query = useCall(listBudgets, { query: { HouseID: house.HouseID } })
  const supplies = useCall(listSupplies, { query: { HouseID: house.HouseID } }).data?.items ?? []
  const [address, setAddress] = useSearchParams()
  const [asked, setAsked] = useState<'add' | 'edit' | 'remove' | null>(null)
  const budgets = query.data?.items ?? []
  const budget = budgets.find(({ BudgetID }) => String(BudgetID) === address.get('budget')) ?? budgets[0]
  const set = (values: Readonly<Record<'budget' | 'on', string>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === '') before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const reason = may ? null : t('onlyReads')
  const tariffs = useCall(listTariffs, { query: { HouseID: house.HouseID } }).data?.items ?? []
  const minorDigitsOf = (supplyId: number | null): number => {
    const tariffId = supplies.find(({ SupplyID }) => SupplyID === supplyId)?.Tariffs[0]?.TariffID
    return placesOf(tariffs.find(({ TariffID }) => TariffID === tariffId)?.Currency ?? 'CNY')
  }
  return (
    <Page title={t('energy:title')} crumb={house.Name}>
      <EnergyTabs />
      <div className="energy-tools">
        {budgets.length > 1 && budget && (
          <select
            aria-label={t('choose')}
            value={budget.BudgetID}
            onChange={({ target }) => set({ budget: target.value, on: '' })}
          >
            {budgets.map(({ BudgetID, Name }) => (
              <option key={BudgetID} value={BudgetID}>
                {Name}
              </option>
            ))}
          </select>
        )}
        <span className="grow" />
        {budget && (
          <>
            <ReasonedButton className="btn quiet" reason={reason} onClick={() => setAsked('remove')}>
              {t('remove')}
            </ReasonedButton>
            <ReasonedButton className="btn" reason={reason} onClick={() => setAsked('edit')}>
              {t('edit')}
            </ReasonedButton>
          </>
        )}
        <ReasonedButton className="btn" reason={query.data ? reason : ''} onClick={() => setAsked('add')}>
          {t('add')}
        </ReasonedButton>
      </div>
      {!query.data && <Unloaded query={query} />}
      <div className="energy-body" id={energyPanel} role="tabpanel" aria-label={t('energy:budget')}>
        {query.data && !budget && <Empty title={t('none')} hint={t('noneHint')} />}
        {budget && (
          <Course
            key={`${budget.BudgetID} ${budget.Version}`}
            {...{ house, budget, supplies }}
            on={address.get('on')}
            onDay={(on) => set({ budget: String(budget.BudgetID), on })}
          />
        )}
      </div>
      {(asked === 'add' || (asked === 'edit' && budget)) && (
        <BudgetDialog
          {...{ house, supplies, minorDigitsOf }}
          budget={asked === 'edit' ? (budget ?? null) : null}
          onSaved={(saved) => saved && set({ budget: String(saved.BudgetID), on: '' })}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'remove' && budget && <Removal house={house} budget={budget} onClose={() => setAsked(null)} />}
    </Page>
  )
}

/** Places of a currency's minor unit. */
const placesOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

function Removal({ house, budget, onClose }: { house: Project; budget: Budget; onClose: () => void }) {
  const { t } = useTranslation('energyBudget')
  const remove = async () => {
    const { BudgetID, Version } = budget
    try {
      await change(saveBudget, { body: { HouseID: house.HouseID, BudgetID, Version, Budget: null } })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const what = t('sureRemove', { name: budget.Name })
  return <ConfirmDialog title={t('remove')} what={what} submit={t('remove')} onConfirm={remove} onClose={onClose} />
}

function Course(props: {
  house: Project
  budget: Budget
  supplies: readonly Supply[]
  on: string | null
  onDay: (on: string) => void
}) {
  const { house, budget, supplies, on, onDay } = props
  const { t, i18n } = useTranslation('energyBudget')
  const ask = { HouseID: house.HouseID, BudgetID: budget.BudgetID, ...(on && { Day: on }) }
  const query = useCall(getBudgetCourse, { query: ask }, { placeholderData: keepPreviousData, refetchInterval: everyMs })
  const course = useShown(query)
  if (!course) return <Unloaded query={query} />
  const unit = valueUnit(course, i18n.language)
  const supply = supplies.find(({ SupplyID }) => SupplyID === budget.SupplyID)?.Name ?? t('ofProject')
  const label = t('chart', { name: budget.Name, from: course.From, to: course.To })
  return (
    <>
      <p className="energy-stepper budget-head">
        <button
          type="button"
          className="btn quiet"
          aria-label={t('previous')}
          onClick={() => onDay(dateText((parseDate(course.From) ?? 1) - 1))}
        >
          <Icon name="left" />
        </button>
        <b>{budget.Period === 'month' ? course.From.slice(0, 7) : course.From.slice(0, 4)}</b>
        <button type="button" className="btn quiet" aria-label={t('next')} onClick={() => onDay(course.To)}>
          <Icon name="right" />
        </button>
        <span className="mute">
          {supply} · {t(`kinds.${budget.Kind}`)}
        </span>
      </p>
      <Unloaded query={query} />
      <Strip course={course} unit={unit} />
      <p className="energy-legend" aria-hidden="true">
        <span className="budget-key">
          <i />
          {t('keyUsed')}
        </span>
        {course.Expected && (
          <span className="budget-key expected">
            <i />
            {t('keyExpected')}
          </span>
        )}
        <span className="budget-key amount">
          <i />
          {t('keyBudget')}
        </span>
      </p>
      <BudgetChart course={course} label={label} unit={unit} />
      <Notices course={course} house={house} />
      <Table course={course} unit={unit} />
      <p className="energy-foot mute">{t('how')}</p>
    </>
  )
}

function Strip({ course, unit }: { course: BudgetCourse; unit: string }) {
  const { t } = useTranslation('energyBudget')
  const { Budget: budget, Used, Expected, LackingS, UnpricedS } = course
  const value = (of: number) => valueText(course, of)
  const isOver = course.Days.every(({ Used: used }) => used !== null)
  return (
    <section className="strip">
      <div>
        <span className="mute">{t('budget')}</span>
        <b>
          {value(budget.Amount)} <span className="state">{unit}</span>
        </b>
      </div>
      <div>
        <span className="mute">{t('used')}</span>
        <b>
          {value(Used)} <span className="state">{unit}</span>
        </b>
        <span className="state">{t('share', { share: ((Used / budget.Amount) * 100).toFixed(1) })}</span>
        {LackingS > 0 && <span className="state">{t('lacking', { time: span(LackingS * 1_000) })}</span>}
        {UnpricedS > 0 && <span className="state">{t('unpriced', { count: UnpricedS / 900 })}</span>}
      </div>
      {isOver ? (
        <div>
          <span className="mute">{t('result')}</span>
          <b>
            {value(Math.abs(Used - budget.Amount))} <span className="state">{unit}</span>
          </b>
          <span className="state">{t(Used > budget.Amount ? 'isOver' : 'isWithin')}</span>
        </div>
      ) : (
        <div>
          <span className="mute">{t('expected')}</span>
          <b>
            {Expected === null ? '–' : value(Expected.Mid)} <span className="state">{Expected && unit}</span>
          </b>
          {Expected === null ? (
            <span className="state">{t('tooFew')}</span>
          ) : (
            <>
              <span className="state">{t('band', { low: value(Expected.Low), high: value(Expected.High) })}</span>
              <span className="state">
                {Expected.Mid > budget.Amount
                  ? t('over', { value: `${value(Expected.Mid - budget.Amount)} ${unit}` })
                  : t('within')}
              </span>
            </>
          )}
        </div>
      )}
    </section>
  )
}

function Notices({ course: { Notices: notices }, house }: { course: BudgetCourse; house: Project }) {
  const { t } = useTranslation('energyBudget')
  const zone = zoneClock(house.TimeZone)
  return (
    <section className="budget-notices" aria-label={t('notices')}>
      <h2>{t('notices')}</h2>
      {notices.length === 0 ? (
        <p className="mute">{t('noNotices')}</p>
      ) : (
        <ul>
          {notices.map(({ Notice, At }) => (
            <li key={Notice}>
              {Notice === 'expected' ? t('willPass') : t('reached', { percent: Notice })}{' '}
              <span className="mute">{momentText('minute', zone.local(At))}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Table({ course, unit }: { course: BudgetCourse; unit: string }) {
  const { t } = useTranslation('energyBudget')
  const value = (of: number) => valueText(course, of)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
    <div className="cost-scroll" role="region" aria-label={t('table')} tabIndex={0}>
      <table className="energy-table">
        <caption>{t('table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('date')}</th>
            <th scope="col" className="num">
              {t('usedTo')} {unit}
            </th>
            <th scope="col" className="num">
              {t('expectedTo')} {unit}
            </th>
          </tr>
        </thead>
        <tbody>
          {course.Days.map(({ Date: date, Used, Low, Mid, High }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              <td className="num">{Used === null ? '' : value(Used)}</td>
              <td className="num">
                {Used === null && course.Expected && (
                  <>
                    {value(Mid)} <span className="mute">{t('band', { low: value(Low), high: value(High) })}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
