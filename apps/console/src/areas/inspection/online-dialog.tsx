import { startRound } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { placeOf } from './filters.ts'
import { StopPicker } from './stop-picker.tsx'
import type { ChosenStop } from './stops.ts'
import { stopAsked } from './stops.ts'

interface Values {
  readonly HouseID: string
  readonly Name: string
  readonly Stops: readonly ChosenStop[]
}

/** A round that the server walks: what of a project is looked at. Nothing is operated, and nothing is locked. */
export function OnlineDialog({ onStarted, onClose }: { onStarted: (roundId: string) => void; onClose: () => void }) {
  const { t } = useTranslation(['inspection', 'app'])
  // One intent, one round, however often it is sent.
  const [id] = useState(newId)
  const [selection] = useSelection()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const only = houses.length === 1 ? String(houses[0]?.HouseID) : ''
  const isStarted = useRef(false)
  const form = useForm<Values>(
    { HouseID: String(placeOf(selection).HouseID ?? ''), Name: t('onlineName'), Stops: [] },
    ({ HouseID, Name, Stops }) => ({
      HouseID: (HouseID || only) === '' ? t('problems.projectMissing') : null,
      Name: Name.trim() === '' ? t('problems.nameMissing') : null,
      Stops: Stops.length === 0 ? t('problems.stopsMissing') : null,
    }),
  )
  const { values } = form
  const houseId = Number(values.HouseID || only) || null
  const start = async () => {
    if (!form.check() || houseId === null) return ''
    try {
      await change(startRound, {
        body: {
          ...{ HouseID: houseId, RoundID: id },
          Without: {
            ...{ Name: values.Name.trim(), Kind: 'online', Stops: values.Stops.map(stopAsked) },
            ...{ LeftOut: [], OwnItems: [], Signature: 'none', PhotoOn: 'never' },
          },
        },
      })
      isStarted.current = true
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog
      title={t('onlineTitle')}
      submit={t('press.start')}
      wide
      onSubmit={start}
      onClose={() => (isStarted.current ? onStarted(id) : onClose())}
    >
      <p className="mute">{t('kindHints.online')}</p>
      <PickField
        label={t('app:project')}
        required
        options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
        value={houseId === null ? '' : String(houseId)}
        error={form.errorOf('HouseID')}
        onChange={(value) => {
          form.set('HouseID', value)
          form.set('Stops', [])
        }}
      />
      <TextField label={t('roundName')} maxLength={60} required {...form.field('Name')} />
      {houseId !== null && (
        <StopPicker
          houseId={houseId}
          route={values.Stops}
          withPlaces={false}
          error={form.errorOf('Stops')}
          onChange={(stops) => form.set('Stops', stops)}
        />
      )}
    </FormDialog>
  )
}
