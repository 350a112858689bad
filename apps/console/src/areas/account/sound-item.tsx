import type { UserInfo } from '@linewarden/contract'
import { setSwitchSetting } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { setSoundSwitch, useSoundSwitch } from '../../app/notify/sound-switch.ts'
import { setUser } from '../../app/session/session.ts'
import { Icon } from '../../ui/icon.tsx'

/** Whether alarms sound on this device: it sounds when the device and the account both have it on. */
export function SoundItem({ user }: { user: UserInfo }) {
  const { t } = useTranslation()
  const sound = useSoundSwitch((state) => state.on) && user.Setting === 1
  const switchSound = async () => {
    const on = !sound
    setSoundSwitch(on)
    // The account's own switch is only ever asked to go on: turning it off here must not silence the person's other devices.
    if (on && user.Setting === 0 && (await callWithToast(api.call(setSwitchSetting, { body: { Setting: 1 } }))))
      setUser({ ...user, Setting: 1 })
  }
  return (
    <button type="button" role="menuitemcheckbox" aria-checked={sound} onClick={switchSound}>
      <Icon name={sound ? 'sound' : 'mute'} />
      {t('sound')}
      <span className="grow" />
      {sound ? t('on') : t('off')}
    </button>
  )
}
