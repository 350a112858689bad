import { startCampaign } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { paths } from '../../paths.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import './firmware.css'
import { PickGateways } from './pick-gateways.tsx'
import { useImages } from './queries.ts'

const whole = (text: string, least: number, most: number): number | null =>
  /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

const usual = { image: '', first: '1', second: '10', limit: '10', reason: '' }

/** Which image, for which gateways, in which stages, and when it is to stop by itself. */
export function CampaignForm({ imageId, onClose }: { imageId: number | null; onClose: () => void }) {
  const { t } = useTranslation(['firmware', 'app'])
  const navigate = useNavigate()
  const all = useImages()
  const images = all.data?.items.filter(({ State }) => State === 'ready') ?? []
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asked, setAsked] = useState(false)
  const { values, set, field, check } = useForm(
    { ...usual, image: imageId === null ? '' : String(imageId) },
    ({ image, first, second, limit, reason }) => ({
      image: image === '' ? t('chooseImage') : null,
      first: whole(first, 1, 100_000) === null ? t('wholeNumber', { most: 100_000 }) : null,
      second: whole(second, 1, 100) === null ? t('wholeNumber', { most: 100 }) : null,
      limit: whole(limit, 0, 100) === null ? t('limitWrong') : null,
      reason: reason.trim() === '' ? t('app:reasonMissing') : null,
    }),
  )
  const send = async (): Promise<string | null> => {
    setAsked(true)
    if (!check() || chosen.size === 0) return ''
    try {
      const { CampaignID } = await change(startCampaign, {
        body: {
          ImageID: Number(values.image),
          Gateways: [...chosen],
          Projects: [],
          Stages: [
            { Kind: 'count', Amount: Number(values.first) },
            { Kind: 'percent', Amount: Number(values.second) },
          ],
          FailureLimit: Number(values.limit),
          Reason: values.reason.trim(),
        },
      })
      navigate(`${paths.firmware}?campaign=${CampaignID}`)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const image = images.find(({ ImageID }) => String(ImageID) === values.image)
  return (
    <FormDialog title={t('start')} submit={t('begin')} wide onSubmit={send} onClose={onClose}>
      <div className="campaign-form">
        <SelectField
          label={t('image')}
          placeholder={t('chooseImage')}
          options={images.map(({ ImageID, Model, Version }) => ({ value: String(ImageID), label: `${Model} ${Version}` }))}
          required
          {...field('image')}
          onChange={(value) => {
            set('image', value)
            setChosen(new Set())
          }}
        />
        <NoChoice query={all} />
        {image?.Notes && <p className="mute">{image.Notes}</p>}
        {image && (
          <PickGateways
            key={image.ImageID}
            imageId={image.ImageID}
            chosen={chosen}
            onChange={setChosen}
            error={asked && chosen.size === 0 ? t('gatewaysEmpty') : null}
          />
        )}
        <Figures field={field} />
        <TextField label={t('app:reason')} maxLength={200} required {...field('reason')} />
        <p className="mute">{t('beginWhat')}</p>
      </div>
    </FormDialog>
  )
}

/** So many gateways first, so many per cent next, and at so many failures it stops by itself. */
function Figures({ field }: Pick<Form<typeof usual>, 'field'>) {
  const { t } = useTranslation('firmware')
  const figure = { inputMode: 'numeric', required: true } as const
  return (
    <div className="figures">
      <TextField
        label={t('firstStage')}
        hint={t('firstStageHint')}
        unit={t('unitGateways')}
        maxLength={6}
        {...figure}
        {...field('first')}
      />
      <TextField label={t('secondStage')} hint={t('secondStageHint')} unit="%" maxLength={3} {...figure} {...field('second')} />
      <TextField label={t('limit')} hint={t('limitHint')} unit="%" maxLength={3} {...figure} {...field('limit')} />
    </div>
  )
}
