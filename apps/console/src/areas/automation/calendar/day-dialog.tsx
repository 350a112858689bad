import type { CalendarDay } from '@linewarden/contract'
import { updateCalendar } from '@linewarden/contract'
import type { DayClass } from '@linewarden/rules/automation'
import { dateText, dayClasses, isPublicClass, parseDate } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { refuseForm } from '../../../app/net/refuse-form.ts'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { Segments, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { MomentField } from '../../../ui/moment-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import type { Whose } from './whose.ts'
import { forWhom } from './whose.ts'

/** What one call enters. */
const maxDays = 400

/** Enters the class of a day, or of several in a row. */
export function DayDialog({
  house,
  whose,
  date,
  day,
  onClose,
}: {
  house: number
  whose: Whose
  /** Empty: the person says which. */
  date: string
  day: CalendarDay | null
  onClose: () => void
}) {
  const { t } = useTranslation(['dayCalendar', 'automation'])
  const mayPrice = useMayOpen('/system/project')
  const initial = {
    from: date,
    to: date,
    class: day?.Class ?? ('special' as DayClass),
    name: day?.Name ?? '',
    isPublic: day !== null && day.Of !== 'bundle' && day.Public,
  }
  const form = useForm(initial, ({ from, to }) => {
    const [first, last] = [parseDate(from), parseDate(to.trim() === '' ? from : to)]
    const order = first !== null && last !== null ? last - first : 0
    return {
      from: first === null ? t('dateWrong') : null,
      to:
        last === null && first !== null
          ? t('dateWrong')
          : order < 0
            ? t('reversed')
            : order >= maxDays
              ? t('tooMany', { most: maxDays })
              : null,
    }
  })
  const save = async () => {
    if (!form.check()) return ''
    const { from, to, name } = form.values
    const first = parseDate(from) ?? 0
    const last = parseDate(to.trim() === '' ? from : to) ?? first
    const Days = Array.from({ length: last - first + 1 }, (_, index) => ({
      ...{ Date: dateText(first + index), Class: form.values.class },
      ...(name.trim() !== '' && { Name: name.trim() }),
      Public: form.values.isPublic && isPublicClass(form.values.class),
    }))
    try {
      await change(updateCalendar, { body: { HouseID: house, ...forWhom(whose), Days } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={date === '' ? t('enter') : t('editDay', { date })} submit={t('save')} onSubmit={save} onClose={onClose}>
      <p className="mute">{t(`enterWhat.${whose}`)}</p>
      <div className="form-grid">
        <MomentField kind="day" label={t('from')} {...form.field('from')} required autoFocus={date === ''} />
        <MomentField kind="day" label={t('to')} {...form.field('to')} />
      </div>
      <Segments
        label={t('class')}
        value={form.values.class}
        options={dayClasses.map((value) => ({ value, label: t(`automation:classes.${value}`) }))}
        onChange={(to) => form.set('class', to)}
      />
      {isPublicClass(form.values.class) && (
        <label className="check-line">
          <input
            type="checkbox"
            checked={form.values.isPublic}
            disabled={!mayPrice}
            onChange={({ target }) => form.set('isPublic', target.checked)}
          />
          {t('isPublic')}
        </label>
      )}
      <TextField label={t('name')} hint={t('nameHint')} {...form.field('name')} maxLength={32} autoFocus={date !== ''} />
    </FormDialog>
  )
}
