import type { CalendarDay } from '@linewarden/contract'
import { updateCalendar } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Whose } from './whose.ts'
import { forWhom } from './whose.ts'

export function RemoveDayDialog({
  house,
  whose,
  day,
  onClose,
}: {
  house: number
  whose: Whose
  day: CalendarDay
  onClose: () => void
}) {
  const { t } = useTranslation('dayCalendar')
  const body = { HouseID: house, ...forWhom(whose), Days: [{ Date: day.Date, Class: null }] }
  const remove = () => errorTextOf(change(updateCalendar, { body }))
  return (
    <ConfirmDialog
      title={t('remove', { date: day.Date })}
      what={t(`removeWhat.${whose}`)}
      submit={t('removeDo')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
