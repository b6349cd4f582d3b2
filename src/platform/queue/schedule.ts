/** Whether a job is due at a minute of the cron trigger, which runs every minute. All times are UTC. */
export type When = (time: Date) => boolean;

export const everyMinute: When = () => true;

/** Once an hour, at this minute. */
export function hourlyAt(minute: number): When {
  return (time) => time.getUTCMinutes() === minute;
}

/** Once a day. */
export function dailyAt(hour: number, minute: number): When {
  return (time) => time.getUTCHours() === hour && time.getUTCMinutes() === minute;
}

/** Every minute from one full hour until another, excluding that one. */
export function everyMinuteBetween(fromHour: number, untilHour: number): When {
  return (time) => time.getUTCHours() >= fromHour && time.getUTCHours() < untilHour;
}
