import type { PauseReason } from '@linewarden/rules/workorder'
import { pauseReasons } from '@linewarden/rules/workorder'
import { useTranslation } from 'react-i18next'
import { SelectField, TextArea, TextField } from '../../../../ui/fields.tsx'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { dayTime, dayTimeIn } from '../../../../ui/format.ts'
import { MomentField } from '../../../../ui/moment-field.tsx'
import { useForm } from '../../../../ui/use-form.ts'
import { serverNow } from '../../../../ui/use-now.ts'
import type { KeptOrder } from './kept-orders.ts'
import { act } from './order-acts.ts'
import type { OrderDeed } from './order-entries.ts'

interface Values {
  readonly Text: string
  readonly Why: string
  readonly Until: string
  readonly Cause: string
  readonly Done: string
  readonly Parts: string
  readonly LabourMin: string
}

type Asked = 'comment' | 'pause' | 'process'

const fields: Readonly<Record<Asked, readonly (keyof Values)[]>> = {
  comment: ['Text'],
  pause: ['Why', 'Until', 'Text'],
  process: ['Cause', 'Done', 'Parts', 'LabourMin'],
}
const dayMs = 86_400_000

/** Asks what an act needs, and stores it on this phone. */
export function DeedDialog({ kept, does, onClose }: { kept: KeptOrder; does: Asked; onClose: () => void }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  const asks = (name: keyof Values) => fields[does].includes(name)
  const form = useForm<Values>(
    { ...{ Text: '', Why: '', Cause: '', Done: '', Parts: '', LabourMin: '' }, Until: dayTime(serverNow() + dayMs) },
    (values) => {
      const missing = (name: keyof Values, text: string) => (asks(name) && values[name].trim() === '' ? text : null)
      const isNumber = values.LabourMin.trim() === '' || /^\d{1,5}$/.test(values.LabourMin.trim())
      return {
        Text: does === 'comment' ? missing('Text', t('textMissing')) : null,
        Why: missing('Why', t('workOrders:whyMissing')),
        Cause: missing('Cause', t('workOrders:causeMissing')),
        Done: missing('Done', t('workOrders:doneMissing')),
        LabourMin: isNumber ? null : t('workOrders:numberWrong'),
        Until: does === 'pause' && !(dayTimeIn(values.Until) > serverNow()) ? t('workOrders:untilWrong') : null,
      }
    },
  )
  const store = async () => {
    if (!form.check()) return ''
    try {
      await act(kept, deedOf(does, form.values))
      return null
    } catch (error) {
      return t('notStored', { why: String(error) })
    }
  }
  return (
    <FormDialog
      title={`${t(`does.${does}`)} · ${kept.order.Number}`}
      submit={t(`does.${does}`)}
      onSubmit={store}
      onClose={onClose}
    >
      <p className="mute">{t(`explains.${does}`)}</p>
      {asks('Cause') && (
        <TextArea
          {...{ label: t('workOrders:cause'), hint: t('workOrders:causeHint'), maxLength: 1_000, rows: 2 }}
          required
          {...form.field('Cause')}
        />
      )}
      {asks('Done') && (
        <TextArea
          {...{ label: t('workOrders:done'), hint: t('workOrders:doneHint'), maxLength: 2_000 }}
          required
          {...form.field('Done')}
        />
      )}
      {asks('Parts') && <TextField label={t('workOrders:parts')} maxLength={500} {...form.field('Parts')} />}
      {asks('LabourMin') && (
        <TextField
          {...{ label: t('workOrders:labour'), unit: t('workOrders:minutes'), maxLength: 5 }}
          inputMode="numeric"
          {...form.field('LabourMin')}
        />
      )}
      {asks('Why') && (
        <SelectField
          {...{ label: t('workOrders:why'), placeholder: t('workOrders:choose') }}
          options={pauseReasons.map((value) => ({ value, label: t(`workOrders:whys.${value}`) }))}
          required
          {...form.field('Why')}
        />
      )}
      {asks('Until') && <MomentField kind="minute" label={t('workOrders:pauseUntil')} required {...form.field('Until')} />}
      {asks('Text') && (
        <TextArea
          {...{ label: t(does === 'pause' ? 'more' : 'text'), maxLength: does === 'pause' ? 500 : 1_000, rows: 3 }}
          required={does === 'comment'}
          {...form.field('Text')}
        />
      )}
    </FormDialog>
  )
}

function deedOf(does: Asked, values: Values): OrderDeed {
  const text = values.Text.trim()
  switch (does) {
    case 'comment':
      return { Does: does, Text: text }
    case 'pause':
      return { Does: does, Until: dayTimeIn(values.Until), Why: values.Why as PauseReason, Reason: text }
    case 'process': {
      const labour = values.LabourMin.trim()
      const written = { Cause: values.Cause.trim(), Done: values.Done.trim(), Parts: values.Parts.trim() }
      return { Does: does, ...written, LabourMin: labour === '' ? null : Number(labour) }
    }
  }
}
