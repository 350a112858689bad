import mqtt from 'mqtt'

/** How the broker answers a gateway's number and secret. */
export async function knock(mqttPort: number, username: string, password: string): Promise<'in' | 'refused'> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${mqttPort}`, { username, password, reconnectPeriod: 0 })
  const outcome = await new Promise<'in' | 'refused'>((resolve) => {
    client.once('connect', () => resolve('in'))
    client.once('error', () => resolve('refused'))
  })
  client.end(true)
  return outcome
}
