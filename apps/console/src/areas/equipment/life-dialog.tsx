import { CallError } from '@linewarden/client'
import type { DeviceRecord } from '@linewarden/contract'
import { editEquipment } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { EquipmentLife, LifeProblem } from '@linewarden/rules/site'
import { endOfLife, isDay, lifeProblems } from '@linewarden/rules/site'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change, changeEach } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'

type Values = { InstalledOn: string; WarrantyUntil: string; ServiceYears: string }

const names = { installedOn: 'InstalledOn', warrantyUntil: 'WarrantyUntil', serviceYears: 'ServiceYears' } as const
const dayOrNull = (text: string) => (text === '' ? null : text)

const lifeOf = ({ InstalledOn, WarrantyUntil, ServiceYears }: Values): EquipmentLife => ({
  installedOn: dayOrNull(InstalledOn),
  warrantyUntil: dayOrNull(WarrantyUntil),
  serviceYears: ServiceYears.trim() === '' ? null : Number(ServiceYears),
})

function wordsOf(t: TFunction<['gateway', 'app']>, { field, problem }: LifeProblem): string {
  if (field === 'serviceYears') return t('yearsWrong')
  return {
    'no day': t('dayWrong'),
    'out of range': t('dayRange'),
    'not yet': t('dayAhead'),
    'before installation': t('dayOrder'),
  }[problem]
}

/** What is wrong, by field. Whether a day is still to come in the project's zone is the server's to say: here only one that is everywhere. */
function validate(t: TFunction<['gateway', 'app']>, values: Values) {
  const found = lifeProblems(lifeOf(values), 'UTC', serverNow() + dayMs)
  return Object.fromEntries(found.map((each) => [names[each.field], wordsOf(t, each)]))
}

/** Why one device was refused: what is wrong with which date, where that was said. */
function whyOf(error: unknown): string {
  const problems = error instanceof CallError && error.problem.kind === 'refusal' ? (error.problem.failure.Problems ?? []) : []
  return problems.length === 0 ? messageOf(error) : problems.map(({ Text }) => localised(Text)).join(' ')
}

/** When a device was put in, how long its maker answers for it, and how many years it is good for. Of several: what is left empty stays. */
export function LifeDialog({ devices, onClose }: { devices: readonly DeviceRecord[]; onClose: () => void }) {
  const { t } = useTranslation(['gateway', 'app'])
  const [only] = devices.length === 1 ? devices : []
  const form = useForm<Values>(
    {
      InstalledOn: only?.InstalledOn ?? '',
      WarrantyUntil: only?.WarrantyUntil ?? '',
      ServiceYears: only?.ServiceYears?.toString() ?? '',
    },
    (values) => validate(t, values),
  )
  const [left, setLeft] = useState(devices)
  const life = lifeOf(form.values)
  const end = life.installedOn !== null && isDay(life.installedOn) ? endOfLife(life) : null

  const requestOf = (device: DeviceRecord) => {
    const kept = only ? null : device
    const body = {
      InstalledOn: life.installedOn ?? kept?.InstalledOn ?? null,
      WarrantyUntil: life.warrantyUntil ?? kept?.WarrantyUntil ?? null,
      ServiceYears: life.serviceYears ?? kept?.ServiceYears ?? null,
      Version: device.Version,
    }
    return { params: { ControllerID: device.ControllerID }, body }
  }
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    if (only) {
      try {
        await change(editEquipment, requestOf(only))
      } catch (error) {
        return refuseForm(form, error)
      }
      return null
    }
    if (life.installedOn === null && life.warrantyUntil === null && life.serviceYears === null) return t('lifeNothing')
    // One after the other: each says for itself whether somebody else was quicker. Tried again, only those that failed are sent.
    const failed = await changeEach(editEquipment, left, requestOf)
    setLeft(failed.map(({ thing }) => thing))
    if (failed.length === 0) return null
    const names = failed.map(({ thing, error }) => t('lifeFailed', { name: thing.Name, why: whyOf(error) }))
    return [t('lifeSome', { count: devices.length - failed.length }), ...names].join(' ')
  }
  return (
    <FormDialog
      title={only ? t('lifeTitle', { name: only.Name }) : t('lifeMany', { count: devices.length })}
      submit={t('app:save')}
      onSubmit={save}
      onClose={onClose}
    >
      {!only && <p>{t('lifeManyHint')}</p>}
      <MomentField kind="day" label={t('installedOn')} {...form.field('InstalledOn')} autoFocus />
      <MomentField kind="day" label={t('warrantyUntil')} {...form.field('WarrantyUntil')} />
      <TextField
        label={t('serviceYears')}
        inputMode="numeric"
        maxLength={2}
        unit={t('years')}
        {...(end !== null && { hint: t('endsOn', { day: end }) })}
        {...form.field('ServiceYears')}
      />
    </FormDialog>
  )
}
