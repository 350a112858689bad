import type { CarbonFactorRecord, CarbonOfProject, Project } from '@linewarden/contract'
import { chooseCarbon, getCarbon, saveCarbonFactor } from '@linewarden/contract'
import { carbonBases, isCarbonFactor } from '@linewarden/rules/energy'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { regionName } from './carbon-regions.ts'

type Asked = 'choose' | 'add' | { readonly edit: CarbonFactorRecord } | { readonly remove: CarbonFactorRecord }

/** By which carbon factors a project goes, those that come with the platform, and those that somebody typed. */
export function CarbonPart({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('energySettings')
  const query = useCall(getCarbon, { query: { HouseID: house.HouseID } })
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data } = query
  const close = () => setAsked(null)
  return (
    <section className="energy-part" aria-label={t('carbon')}>
      <header>
        <h2>{t('carbon')}</h2>
        <span className="energy-stepper">
          <ReasonedButton className="btn" reason={data ? reason : t('carbonLoading')} onClick={() => setAsked('choose')}>
            {t('carbonChoose')}
          </ReasonedButton>
          <ReasonedButton className="btn" reason={data ? reason : t('carbonLoading')} onClick={() => setAsked('add')}>
            {t('carbonAdd')}
          </ReasonedButton>
        </span>
      </header>
      <p className="mute">{t('carbonHint')}</p>
      {!data && <Unloaded query={query} />}
      {data && (
        <p>
          {data.Region === null
            ? t('carbonNone')
            : t(data.IsSet ? 'carbonIs' : 'carbonUsual', {
                region: regionName(data.Region),
                basis: t(`carbonBases.${data.Basis}`),
              })}
        </p>
      )}
      {data && <Factors data={data} reason={reason} onAsk={setAsked} />}
      {data && asked === 'choose' && <ChooseDialog house={house} data={data} onClose={close} />}
      {data && asked !== null && asked !== 'choose' && !(typeof asked === 'object' && 'remove' in asked) && (
        <FactorDialog house={house} data={data} factor={typeof asked === 'object' ? asked.edit : null} onClose={close} />
      )}
      {typeof asked === 'object' && asked !== null && 'remove' in asked && (
        <RemoveDialog house={house} factor={asked.remove} onClose={close} />
      )}
    </section>
  )
}

function Factors(props: { data: CarbonOfProject; reason: string | null; onAsk: (asked: Asked) => void }) {
  const { data, reason, onAsk } = props
  const { t } = useTranslation('energySettings')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
    <div className="cost-scroll" role="region" aria-label={t('carbonFactors')} tabIndex={0}>
      <table className="energy-table">
        <thead>
          <tr>
            <th scope="col">{t('carbonYear')}</th>
            <th scope="col">{t('carbonRegion')}</th>
            <th scope="col">{t('carbonBasis')}</th>
            <th scope="col" className="num">
              kg/kWh
            </th>
            <th scope="col">{t('carbonSource')}</th>
            <th scope="col" />
          </tr>
        </thead>
        <tbody>
          {data.Factors.map((factor) => (
            <tr key={`${factor.Year} ${factor.Region} ${factor.Basis} ${factor.IsBuiltIn}`}>
              <th scope="row">{factor.Year}</th>
              <td>{regionName(factor.Region)}</td>
              <td>{t(`carbonBases.${factor.Basis}`)}</td>
              <td className="num">{factor.KgPerKwh}</td>
              <td className="carbon-source">
                {factor.Source} <span className="mute">{factor.IsBuiltIn ? t('bundled') : factor.TypedBy}</span>
              </td>
              <td>
                {!factor.IsBuiltIn && (
                  <>
                    <ReasonedButton className="btn small quiet" reason={reason} onClick={() => onAsk({ edit: factor })}>
                      {t('edit')}
                    </ReasonedButton>
                    <ReasonedButton className="btn small quiet" reason={reason} onClick={() => onAsk({ remove: factor })}>
                      {t('carbonRemove')}
                    </ReasonedButton>
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

const basisOf = (value: string) => carbonBases.find((each) => each === value) ?? 'average'

function ChooseDialog({ house, data, onClose }: { house: Project; data: CarbonOfProject; onClose: () => void }) {
  const { t } = useTranslation(['energySettings', 'app'])
  const form = useForm({ Region: data.Region ?? '', Basis: data.Basis as string }, ({ Region }) => ({
    Region: Region.trim() === '' ? t('carbonRegionMissing') : null,
  }))
  const save = async () => {
    if (!form.check()) return ''
    const { Region, Basis } = form.values
    try {
      await change(chooseCarbon, {
        body: { HouseID: house.HouseID, Version: data.Version, Region: Region.trim(), Basis: basisOf(Basis) },
      })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const regions = [...new Set(data.Factors.map(({ Region }) => Region))].toSorted()
  return (
    <FormDialog title={t('carbonChoose')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <SelectField
        label={t('carbonRegion')}
        placeholder={t('carbonRegion')}
        required
        options={regions.map((value) => ({ value, label: regionName(value) }))}
        {...form.field('Region')}
      />
      <SelectField
        label={t('carbonBasis')}
        options={carbonBases.map((value) => ({ value, label: t(`carbonBases.${value}`) }))}
        {...form.field('Basis')}
      />
    </FormDialog>
  )
}

function FactorDialog(props: { house: Project; data: CarbonOfProject; factor: CarbonFactorRecord | null; onClose: () => void }) {
  const { house, data, factor, onClose } = props
  const { t } = useTranslation(['energySettings', 'app'])
  const initial = {
    ...{
      Year: factor ? String(factor.Year) : '',
      Region: factor?.Region ?? data.Region ?? '',
      Basis: (factor?.Basis ?? data.Basis) as string,
    },
    ...{ KgPerKwh: factor?.KgPerKwh ?? '', Source: factor?.Source ?? '' },
  }
  const form = useForm(initial, ({ Year, Region, KgPerKwh, Source }) => ({
    Year: /^(199\d|20\d\d|21\d\d)$/.test(Year.trim()) ? null : t('carbonYearWrong'),
    Region: Region.trim() === '' ? t('carbonRegionMissing') : null,
    KgPerKwh: isCarbonFactor(KgPerKwh.trim()) ? null : t('carbonFactorWrong'),
    Source: Source.trim() === '' ? t('carbonSourceMissing') : null,
  }))
  const save = async () => {
    if (!form.check()) return ''
    const { Year, Region, Basis, KgPerKwh, Source } = form.values
    try {
      await change(saveCarbonFactor, {
        body: {
          ...{ HouseID: house.HouseID, Version: factor?.Version ?? 0, Year: Number(Year), Region: Region.trim() },
          ...{ Basis: basisOf(Basis), KgPerKwh: KgPerKwh.trim(), Source: Source.trim() },
        },
      })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t(factor ? 'carbonEdit' : 'carbonAdd')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      {factor ? (
        <p>{`${factor.Year} · ${regionName(factor.Region)} · ${t(`carbonBases.${factor.Basis}`)}`}</p>
      ) : (
        <>
          <TextField label={t('carbonYear')} maxLength={4} required autoFocus {...form.field('Year')} />
          <TextField label={t('carbonRegion')} hint={t('carbonRegionHint')} maxLength={40} required {...form.field('Region')} />
          <SelectField
            label={t('carbonBasis')}
            options={carbonBases.map((value) => ({ value, label: t(`carbonBases.${value}`) }))}
            {...form.field('Basis')}
          />
        </>
      )}
      <TextField label="kg/kWh" maxLength={12} required {...form.field('KgPerKwh')} />
      <TextField label={t('carbonSource')} hint={t('carbonSourceHint')} maxLength={300} required {...form.field('Source')} />
    </FormDialog>
  )
}

function RemoveDialog({ house, factor, onClose }: { house: Project; factor: CarbonFactorRecord; onClose: () => void }) {
  const { t } = useTranslation('energySettings')
  const remove = async () => {
    const { Year, Region, Basis, Version } = factor
    try {
      await change(saveCarbonFactor, {
        body: { HouseID: house.HouseID, Year, Region, Basis, Version, KgPerKwh: null, Source: '' },
      })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <ConfirmDialog
      title={t('carbonRemove')}
      what={t('carbonSureRemove', { year: factor.Year, region: regionName(factor.Region) })}
      submit={t('carbonRemove')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
