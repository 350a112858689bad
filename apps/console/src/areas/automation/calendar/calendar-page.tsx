import type { CalendarDay } from '@linewarden/contract'
import { getCalendar } from '@linewarden/contract'
import { civilZone, yearOf } from '@linewarden/rules/automation'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useSession } from '../../../app/session/session.ts'
import { useMay, useMayEdit } from '../../../app/session/use-may.ts'
import { useProjects, useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { Segments } from '../../../ui/fields.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { PickFilter } from '../../../ui/pick-field.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { automation } from '../parts/texts.ts'
import { DayDialog } from './day-dialog.tsx'
import { DayList } from './day-list.tsx'
import { CalendarImportDialog } from './import-dialog.tsx'
import { RemoveDayDialog } from './remove-day-dialog.tsx'
import { dayCalendar } from './texts.ts'
import type { Whose } from './whose.ts'
import { forWhom } from './whose.ts'
import { YearMonths } from './year-months.tsx'
import './calendar.css'

addTexts({ automation, dayCalendar })

/** A year's days by class, where each comes from, and how to enter or import them: what timers by calendar go by. */
export function CalendarPage() {
  const { t } = useTranslation('dayCalendar')
  const [address, setAddress] = useSearchParams()
  const [selection] = useSelection()
  const tree = useTree()
  const close = () =>
    setAddress((before) => {
      for (const name of ['calendar', 'year', 'house', 'for']) before.delete(name)
      return before
    })
  const houses = (tree.data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const selected = selection.kind === 'house' ? selection.id : 'house' in selection ? selection.house : null
  const wanted = Number(address.get('house') ?? selected)
  const house = houses.find(({ HouseID }) => HouseID === wanted) ?? houses[0]
  const set = (name: string, value: string) =>
    setAddress((before) => {
      if (value === '') before.delete(name)
      else before.set(name, value)
      return before
    })
  return (
    <main className="page">
      {!tree.data && <Unloaded query={tree} />}
      {tree.data && !house && <Empty title={t('noProject')} action={{ label: t('back'), run: close }} />}
      {house && (
        <OfProject
          key={house.HouseID}
          house={house.HouseID}
          name={house.Name}
          year={Number(address.get('year')) || null}
          whose={address.get('for') === 'owner' ? 'owner' : 'project'}
          picker={
            houses.length > 1 && (
              <PickFilter
                label={t('project')}
                value={String(house.HouseID)}
                options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
                onChange={(value) => value !== '' && set('house', value)}
              />
            )
          }
          onYear={(year) => set('year', String(year))}
          onWhose={(whose) => set('for', whose === 'owner' ? whose : '')}
          onClose={close}
        />
      )}
    </main>
  )
}

type Dialog =
  | { readonly kind: 'enter'; readonly day: CalendarDay | null; readonly date: string }
  | { readonly kind: 'remove'; readonly day: CalendarDay }
  | { readonly kind: 'import' }

const [firstYear, lastYear] = [2000, 2199]

function OfProject({
  house,
  name,
  year: asked,
  whose,
  picker,
  onYear,
  onWhose,
  onClose,
}: {
  house: number
  name: string
  year: number | null
  whose: Whose
  picker: ReactNode
  onYear: (year: number) => void
  onWhose: (whose: Whose) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['dayCalendar', 'automation'])
  const { projects, lacking } = useProjects([house])
  const timeZone = projects[0]?.TimeZone ?? 'UTC'
  const today = useByNow((now) => civilZone(timeZone).dayAt(now))
  const year = asked !== null && asked >= firstYear && asked <= lastYear ? asked : yearOf(today)
  const query = useCall(getCalendar, { params: { HouseID: house }, query: { Year: year, ...forWhom(whose) } })
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const reason = useWhyNot(whose)
  const days = query.data?.Days ?? []
  const unmaintained = query.data?.Unmaintained ?? []
  const enter = (date: string) => setDialog({ kind: 'enter', date, day: days.find((day) => day.Date === date) ?? null })
  const done = () => setDialog(null)
  return (
    <>
      <div className="head">
        <button type="button" className="btn quiet" aria-label={t('back')} onClick={onClose}>
          <Icon name="left" />
        </button>
        <h1>{t('title')}</h1>
        {picker || <bdi className="mute crumb">{name}</bdi>}
        <span className="grow" />
        <ReasonedButton className="btn" aria-label={t('enter')} reason={reason} onClick={() => enter('')}>
          <Icon name="plus" />
          <span className="word">{t('enter')}</span>
        </ReasonedButton>
        <ReasonedButton className="btn primary" reason={reason} onClick={() => setDialog({ kind: 'import' })}>
          {t('import')}
        </ReasonedButton>
      </div>
      <WhoseDays whose={whose} onWhose={onWhose} />
      <Unloaded query={lacking ?? query} />
      {unmaintained.length > 0 && (
        <p className="calendar-notice">
          <Mark kind="warning" />
          {t('unmaintained', { years: unmaintained.join(t('automation:nameBetween')) })}
        </p>
      )}
      {query.data && (
        <div className="day-calendar">
          <div className="day-months">
            <Years year={year} onYear={onYear} />
            <YearMonths year={year} days={days} today={today} reason={reason} onPick={enter} />
          </div>
          <DayList
            year={year}
            days={days}
            whose={whose}
            reason={reason}
            onEdit={(day) => enter(day.Date)}
            onRemove={(day) => setDialog({ kind: 'remove', day })}
          />
        </div>
      )}
      {dialog?.kind === 'enter' && <DayDialog {...{ house, whose }} date={dialog.date} day={dialog.day} onClose={done} />}
      {dialog?.kind === 'remove' && <RemoveDayDialog {...{ house, whose }} day={dialog.day} onClose={done} />}
      {dialog?.kind === 'import' && <CalendarImportDialog {...{ house, whose }} onClose={done} />}
    </>
  )
}

function WhoseDays({ whose, onWhose }: { whose: Whose; onWhose: (whose: Whose) => void }) {
  const { t } = useTranslation('dayCalendar')
  return (
    <div className="calendar-whose">
      <Segments
        label={t('whose')}
        value={whose}
        options={(['project', 'owner'] as const).map((value) => ({ value, label: t(`whoseDays.${value}`) }))}
        onChange={onWhose}
      />
      <span className="mute">{t(`whoseHint.${whose}`)}</span>
    </div>
  )
}

function Years({ year, onYear }: { year: number; onYear: (year: number) => void }) {
  const { t } = useTranslation('dayCalendar')
  return (
    <div className="years" role="group" aria-label={t('title')}>
      <button
        type="button"
        className="btn quiet"
        aria-label={t('previousYear')}
        disabled={year <= firstYear}
        onClick={() => onYear(year - 1)}
      >
        <Icon name="left" />
      </button>
      <b aria-live="polite">{t('year', { year })}</b>
      <button
        type="button"
        className="btn quiet"
        aria-label={t('nextYear')}
        disabled={year >= lastYear}
        onClick={() => onYear(year + 1)}
      >
        <Icon name="right" />
      </button>
      <Key />
    </div>
  )
}

function useWhyNot(whose: Whose): string | null {
  const { t } = useTranslation('dayCalendar')
  const mayEdit = useMayEdit()
  const mayManage = useMay('manageTiming')
  const isAdministrator = useSession(({ user }) => user?.Roles.IsAdministrators === true)
  if (!mayEdit) return t('onlyReads')
  if (!mayManage) return t('mayNot')
  return whose === 'owner' && !isAdministrator ? t('ownerByAdministrator') : null
}

const classes = ['workday', 'restday', 'holiday', 'special'] as const

function Key() {
  const { t } = useTranslation('automation')
  return (
    <span className="day-key">
      {classes.map((each) => (
        <span key={each}>
          <i className={each} aria-hidden="true">
            1
          </i>
          {t(`classes.${each}`)}
        </span>
      ))}
    </span>
  )
}
