import type { GatewayRecord } from '@linewarden/contract'
import { deleteGateway, enableGateway, renameGateway, renameLine, transferGateways } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useProjectNames } from './queries.ts'

export function RenameGateway({ gateway, onClose }: { gateway: GatewayRecord; onClose: () => void }) {
  const { t } = useTranslation(['gateway', 'app'])
  // As it was read for this form: the gateway is read again behind it, and another person's name must not be overwritten unseen.
  const [version] = useState(gateway.Version)
  const form = useForm({ Name: gateway.GatewayName, Remark: gateway.Remark }, ({ Name }) => ({
    Name: Name.trim() === '' ? t('nameEmpty') : null,
  }))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      const body = { ...form.values, Version: version }
      await change(renameGateway, { params: { DeviceID: gateway.DeviceID }, body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('renameTitle')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} {...form.field('Name')} maxLength={64} required autoFocus />
      <TextField
        label={t('app:remark')}
        value={form.values.Remark}
        onChange={(value) => form.set('Remark', value)}
        maxLength={200}
      />
    </FormDialog>
  )
}

export function RenameLine({
  deviceId,
  line,
  onClose,
}: {
  deviceId: number
  line: { readonly LineID: number; readonly LineName: string }
  onClose: () => void
}) {
  const { t } = useTranslation(['gateway', 'app'])
  const [was] = useState(line.LineName)
  const form = useForm({ LineName: was }, ({ LineName }) => ({
    LineName: LineName.trim() === '' ? t('lineNameEmpty') : null,
  }))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      const body = { ...form.values, Was: was }
      await change(renameLine, { params: { DeviceID: deviceId, LineID: line.LineID }, body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('renameLine')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('lineName')} hint={t('lineNameHint')} {...form.field('LineName')} maxLength={64} required autoFocus />
    </FormDialog>
  )
}

/** Enables a gateway, or disables it after saying what that means. */
export function EnableGateway({ gateway, onClose }: { gateway: GatewayRecord; onClose: () => void }) {
  const { t } = useTranslation('gateway')
  const { DeviceID, GatewayName: name } = gateway
  // What was asked at first: when somebody else is quicker, the question must not turn into its opposite under the hand.
  const [Enabled] = useState(gateway.Enabled)
  return (
    <ConfirmDialog
      title={Enabled ? t('disableTitle', { name }) : t('enableTitle', { name })}
      what={Enabled ? t('disableWhat') : t('enableWhat')}
      submit={Enabled ? t('disable') : t('enable')}
      onClose={onClose}
      onConfirm={() => errorTextOf(change(enableGateway, { params: { DeviceID }, body: { Enabled: !Enabled } }))}
    />
  )
}

export function DeleteGateway({ gateway, onDone, onClose }: { gateway: GatewayRecord; onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation(['gateway', 'app'])
  const { DeviceID, GatewayName } = gateway
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: GatewayName })}
      what={t('deleteWhat')}
      submit={t('app:delete')}
      onClose={onClose}
      onConfirm={() => errorTextOf(api.call(deleteGateway, { body: { DeviceID } }).then(onDone))}
    />
  )
}

/** Moves gateways to another project; a shared one among them holds all of them back. */
export function TransferGateways({
  gateways,
  onMoved,
  onClose,
}: {
  gateways: readonly { readonly DeviceID: number; readonly Shared: boolean }[]
  onMoved: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['gateway', 'app'])
  const projects = useProjectNames()
  const form = useForm({ HouseID: '' }, ({ HouseID }) => ({ HouseID: HouseID === '' ? t('projectEmpty') : null }))
  const shared = gateways.filter(({ Shared }) => Shared).length
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    if (shared > 0) return t('sharedStays')
    const body = { DeviceIDs: gateways.map(({ DeviceID }) => DeviceID), HouseID: Number(form.values.HouseID) }
    return errorTextOf(change(transferGateways, { body }).then(onMoved))
  }
  return (
    <FormDialog title={t('transferTitle', { count: gateways.length })} submit={t('transfer')} onSubmit={save} onClose={onClose}>
      <p>{shared > 0 ? t('transferShared', { count: shared }) : t('transferWhat')}</p>
      <PickField
        label={t('transferTo')}
        {...form.field('HouseID')}
        placeholder={t('app:pleaseSelect')}
        options={(projects.data?.items ?? []).map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
        required
      />
      <NoChoice query={projects} />
    </FormDialog>
  )
}
