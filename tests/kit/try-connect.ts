import mqtt from 'mqtt'

/** How the broker answers a gateway's number and secret; `cut off`: it gives no answer. */
export async function tryConnect(
  mqttPort: number,
  username: string,
  password: string,
  scheme: 'mqtt' | 'mqtts' = 'mqtt',
): Promise<'in' | 'refused' | 'cut off'> {
  const client = mqtt.connect(`${scheme}://127.0.0.1:${mqttPort}`, { username, password, reconnectPeriod: 0 })
  const outcome = await new Promise<'in' | 'refused' | 'cut off'>((resolve) => {
    client.once('connect', () => resolve('in'))
    // Only an answer has a number.
    client.once('error', (error) => resolve('code' in error && typeof error.code === 'number' ? 'refused' : 'cut off'))
    client.once('close', () => resolve('cut off'))
  })
  client.end(true)
  return outcome
}
