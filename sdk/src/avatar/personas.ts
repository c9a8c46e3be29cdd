/**
 * How people look: five colours (ground, skin, brows, clothing, lips), then shapes, each a line of its
 * layer, its name, its colour, its outline in a box of 200 by 200, and for a line its width. An outline
 * that begins with a small m is the left half of one. All have the head and shoulders of the neutral
 * face; the orb, for brands that want no face, has neither.
 */
export const PERSONAS: Record<string, string> = {
  ash: `#cde #ecb #899 #346 #b55
2 worn #fff m77,145l20,25-16,6-15-26z
3 beard #bbb m59,92c1,28,12,51,41,52h3v-38c-10-3-21-1-28,3-7,0-12-7-16-17z
6 glasses #345 m69,91a14,13,0,0,1,28,0,14,13,0,0,1-28,0l-9-4m37,2q2-1,4-1 2.6
7 hair #aaa M57,88c-8-28-3-48,13-57,22-18,74-14,75,25,1,12,0,22-2,32-4-12-7-20-12-28-20,0-42-4-55-14-9,10-15,22-19,42z
7 shine #fff3 M80,40q22,10,48,10 5`,
  birch: `#ded #fdc #942 #da3 #c65
1 back #942 m104,20h-4c-30,0-54,20-46,64,2,30-4,44-8,62,7,6,32,9,58,9z
2 worn #c82 M79,137q21,9,42,0l3,18q-24,11-48,0z
3 freckles #d85 m74,103h0m6,4h0m7-4h0 2
7 hair #b53 m100,40c-6,18-24,32-38,40-4,22,2,50-6,86-8,2-16-2-20-8,14-28,10-52,14-82,4-40,24-54,50-54h3z
7 shine #fff3 M66,58q10-20,24-24 5`,
  cedar: `#fdb #853 #211 #b54 #c76
2 worn #943 M77,145c6,20,40,20,46,0l9,3c-8,28-56,28-64,0z
3 beard #211 m59,92c1,28,12,51,41,52h3v-38c-10-3-21-1-28,3-7,0-12-7-16-17z
7 hair #211 m58,88c-7-30-5-50,6-58,4-5,20-8,40-8v29q-20,0-37,5-7,12-9,32z
7 shine #fff3 M74,38q24-9,48-2 5`,
  hazel: `#edc #da8 #322 #446 #a44
2 worn #967 M52,104c-4,20-8,36-12,52,12,22,62,28,78,16,10,4,24,2,36-12-2-18-4-36-8-56z
2 worn #856 M56,140c14,20,44,30,66,28q20-14,21-44 3
7 hair #b78 m103,17h-3c-38,0-60,28-54,78,4,34,24,60,54,60h3v-22h-3c-21,0-35-20-36-47-1-26,12-40,36-40h3z
7 shine #fff3 M64,54q12-22,36-24 5`,
  linden: `#f2d9c5 #fca #422 #176 #b55
1 back #322 m104,20h-4c-30,0-58,20-48,70,2,16-2,30-10,42,12,14,30,14,42,8h16z
2 worn #fee M76,145l24,29,24-29q-24,16-48,0z
2 worn #155 m78,146l-13,4,15,36,20-12z
7 hair #4b2f28 M55,96c-10-48,14-74,48-74s54,26,42,72c-3-20-20-30-33-46-8,16-36,22-46,30-7,6-9,10-11,18z
7 shine #fff3 M70,56q10-20,34-21 5`,
  rowan: `#cde4e3 #b86 #211 #585 #944
1 back #211 m104,104h-44c-18,0-22-18-13-28-9-14,1-31,16-31,4-18,25-25,37-16h4z
2 worn #474 m72,147c-10,8-14,18-8,30q18-12,40-12v-8q-24,1-32-10z
2 worn #eed m88,165v16 3
7 hair #322 m57,92c-10-14-6-28,4-34-2-16,14-28,28-24,4-3,9-5,15-4v42q-14,2-19-5-7,6-16,2-10,5-12,23z
7 shine #fff3 M72,52q4-12,18-12 5`,
  orb: `0 ground #146
3 glow #15e4 M112,108h0 150
3 glow #15e4 M116,110h0 110
4 glow #2dc5 M86,110h0 104
4 glow #2dc5 M86,110h0 70
6 glow #eff5 M90,90h0 90
6 glow #eff5 M90,90h0 56`,
};
